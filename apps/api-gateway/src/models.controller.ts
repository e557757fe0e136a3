import type { ModelItem } from '@lensforge/contracts';
import { endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import type { InputOf, ListResponse } from '@lensforge/edge';
import { Caller, Input, Serves } from '@lensforge/edge';
import { listModels } from '@lensforge/models';
import { Controller } from '@nestjs/common';
import { pageResponse } from './page-response.js';

@Controller()
export class ModelsController {
  @Serves(endpoints.listModels)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listModels>,
  ): Promise<ListResponse<ModelItem>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listModels(ctx, query)));
  }
}
