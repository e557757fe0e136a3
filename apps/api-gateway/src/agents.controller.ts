import { archiveAgent } from '@lensforge/agents';
import { type AiLenser, type AiLenserItem, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import { createAiLenser, listAiLensers, readableAiLenser, updateAiLenser } from '@lensforge/identity';
import { Controller } from '@nestjs/common';
import { countedPageResponse, withOffset } from './page-response.js';

@Controller()
export class AgentsController {
  @Serves(endpoints.listAiLensers)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listAiLensers>,
  ): Promise<ListResponse<AiLenserItem>> {
    return countedPageResponse(await readFromReplica(ctx, (ctx) => listAiLensers(ctx, withOffset(query))));
  }

  @Serves(endpoints.createAiLenser)
  create(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.createAiLenser>): Promise<AiLenser> {
    return createAiLenser(ctx, body);
  }

  @Serves(endpoints.getAiLenser)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getAiLenser>): Promise<AiLenser> {
    return withDbRetry(() => readableAiLenser(ctx, params.aiLenserId));
  }

  @Serves(endpoints.updateAiLenser)
  update(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.updateAiLenser>,
  ): Promise<AiLenser> {
    return updateAiLenser(ctx, { ...body, ...params });
  }

  @Serves(endpoints.archiveAiLenser)
  archive(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.archiveAiLenser>): Promise<AiLenser> {
    return archiveAgent(ctx, params.aiLenserId);
  }
}
