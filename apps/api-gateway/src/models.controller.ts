import { type ModelItem, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
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
