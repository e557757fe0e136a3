import type { ModelItem } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { InputOf, Listed } from '@lensforge/edge';
import { Caller, Input, Serves } from '@lensforge/edge';
import { listModels } from '@lensforge/models';
import { Controller } from '@nestjs/common';
import { listedPage } from './listed-page.js';

@Controller()
export class ModelsController {
  @Serves(endpoints.listModels)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listModels>,
  ): Promise<Listed<ModelItem>> {
    return listedPage(await withDbRetry(() => listModels(ctx, query)));
  }
}
