import type {
  LensDiff,
  LensFile,
  LensLabelPlace,
  LensLabelRemoved,
  LensVersionItem,
  LensVersionRecord,
} from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { InputOf, Listed } from '@lensforge/edge';
import { Caller, Input, Serves } from '@lensforge/edge';
import {
  diffLensVersions,
  exportLens,
  getLensVersion,
  listLensVersions,
  removeLensLabel,
  setLensLabel,
} from '@lensforge/lenses';
import { Controller } from '@nestjs/common';
import { listedCountedPage, placeIn } from './listed-page.js';

@Controller()
export class LensVersionsController {
  @Serves(endpoints.listLensVersions)
  async list(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listLensVersions>,
  ): Promise<Listed<LensVersionItem>> {
    const { versions: items, ...page } = await listLensVersions(ctx, { ...params, ...placeIn(query) });
    return listedCountedPage({ ...page, items });
  }

  @Serves(endpoints.getLensVersion)
  read(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getLensVersion>,
  ): Promise<LensVersionRecord> {
    return getLensVersion(ctx, params);
  }

  @Serves(endpoints.diffLensVersions)
  compare(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.diffLensVersions>,
  ): Promise<LensDiff> {
    return diffLensVersions(ctx, { ...params, ...query });
  }

  @Serves(endpoints.exportLens)
  export(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.exportLens>): Promise<LensFile> {
    return exportLens(ctx, params.lensId);
  }

  @Serves(endpoints.setLensLabel)
  label(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.setLensLabel>,
  ): Promise<LensLabelPlace> {
    return setLensLabel(ctx, { ...params, ...body });
  }

  @Serves(endpoints.removeLensLabel)
  unlabel(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.removeLensLabel>,
  ): Promise<LensLabelRemoved> {
    return removeLensLabel(ctx, params);
  }
}
