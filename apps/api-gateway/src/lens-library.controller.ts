import {
  type LensCandidateSaved,
  type LensDeleted,
  type LensDraftReply,
  type LensItem,
  type LensRecord,
  type LensStateReply,
  endpoints,
} from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import {
  archiveLens,
  createLens,
  deleteLens,
  discardLensDraft,
  forkLens,
  getLens,
  getLensDraft,
  importLens,
  listLenses,
  publishLens,
  restoreLens,
  saveCandidate,
  saveLensDraft,
  searchLenses,
  updateLens,
} from '@lensforge/lenses';
import { Controller } from '@nestjs/common';
import { countedPageResponse, withOffset } from './page-response.js';

@Controller()
export class LensLibraryController {
  @Serves(endpoints.listLenses)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listLenses>,
  ): Promise<ListResponse<LensItem>> {
    const { q, author, community, ...filter } = withOffset(query);
    if (author !== undefined && community !== undefined && author !== community) {
      throw badInput('community', 'cannot be combined with another author: a lens has one owner');
    }
    const request = { ...filter, accountId: author ?? community };
    return countedPageResponse(
      await readFromReplica(ctx, (ctx) =>
        q === undefined ? listLenses(ctx, request) : searchLenses(ctx, { ...request, query: q }),
      ),
    );
  }

  @Serves(endpoints.createLens)
  async create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createLens>): Promise<LensRecord> {
    const { lens } = await createLens(ctx, body);
    return getLens(ctx, lens.id);
  }

  @Serves(endpoints.importLens)
  async import(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.importLens>): Promise<LensRecord> {
    const { lensId } = await importLens(ctx, body);
    return getLens(ctx, lensId);
  }

  @Serves(endpoints.getLens)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getLens>): Promise<LensRecord> {
    return getLens(ctx, params.lensId);
  }

  @Serves(endpoints.updateLens)
  async update(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.updateLens>,
  ): Promise<LensRecord> {
    await updateLens(ctx, { ...body, lensId: params.lensId });
    return getLens(ctx, params.lensId);
  }

  @Serves(endpoints.saveLensCandidate)
  async saveCandidate(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.saveLensCandidate>,
  ): Promise<LensCandidateSaved> {
    const { versionId: id, semver, isCandidate } = await saveCandidate(ctx, { ...body, lensId: params.lensId });
    return { id, semver, isCandidate };
  }

  @Serves(endpoints.getLensDraft)
  async readDraft(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getLensDraft>,
  ): Promise<LensDraftReply> {
    return { draft: await getLensDraft(ctx, params.lensId) };
  }

  @Serves(endpoints.saveLensDraft)
  async saveDraft(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.saveLensDraft>,
  ): Promise<LensDraftReply> {
    return { draft: await saveLensDraft(ctx, params.lensId, body) };
  }

  @Serves(endpoints.discardLensDraft)
  async discardDraft(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.discardLensDraft>,
  ): Promise<LensDraftReply> {
    return { draft: await discardLensDraft(ctx, params.lensId, query.continues) };
  }

  @Serves(endpoints.deleteLens)
  remove(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.deleteLens>): Promise<LensDeleted> {
    return deleteLens(ctx, params.lensId);
  }

  @Serves(endpoints.publishLens)
  publish(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.publishLens>): Promise<LensStateReply> {
    return publishLens(ctx, params.lensId);
  }

  @Serves(endpoints.archiveLens)
  archive(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.archiveLens>): Promise<LensStateReply> {
    return archiveLens(ctx, params.lensId);
  }

  @Serves(endpoints.restoreLens)
  restore(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.restoreLens>): Promise<LensStateReply> {
    return restoreLens(ctx, params.lensId);
  }

  @Serves(endpoints.forkLens)
  async fork(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.forkLens>,
  ): Promise<LensRecord> {
    const { lens } = await forkLens(ctx, { ...body, sourceLensId: params.lensId });
    return getLens(ctx, lens.id);
  }
}
