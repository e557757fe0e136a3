import {
  type IncomingWebhook,
  type IncomingWebhookCall,
  type IncomingWebhookWithSecret,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Platform, Serves } from '@lensforge/edge';
import { KeyRing } from '@lensforge/vault';
import {
  createIncomingWebhook,
  listIncomingCalls,
  listIncomingWebhooks,
  readableIncomingWebhook,
  removeIncomingWebhook,
  rotateIncomingWebhook,
  takeOverIncomingWebhook,
  updateIncomingWebhook,
} from '@lensforge/webhooks';
import { readableWorkflow } from '@lensforge/workflows';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from '../environment.js';
import { pageResponse } from '../page-response.js';

@Controller()
export class IncomingWebhooksController {
  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly ring: KeyRing,
  ) {}

  @Serves(endpoints.listIncomingWebhooks)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listIncomingWebhooks>,
  ): Promise<ListResponse<IncomingWebhook>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listIncomingWebhooks(ctx, query)));
  }

  @Serves(endpoints.createIncomingWebhook)
  async create(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.createIncomingWebhook>,
  ): Promise<IncomingWebhookWithSecret> {
    const { id: workflowId } = await withDbRetry(() => readableWorkflow(ctx, body.workflowId));
    const most = this.platform.environment.LENSFORGE_INCOMING_WEBHOOKS_PER_ACCOUNT;
    return createIncomingWebhook(ctx, { ...body, workflowId, limit: most }, this.ring);
  }

  @Serves(endpoints.getIncomingWebhook)
  read(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getIncomingWebhook>,
  ): Promise<IncomingWebhook> {
    return withDbRetry(() => readableIncomingWebhook(ctx, params.webhookId));
  }

  @Serves(endpoints.updateIncomingWebhook)
  async update(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.updateIncomingWebhook>,
  ): Promise<IncomingWebhook> {
    const { workflowId } = body;
    if (workflowId !== undefined) await withDbRetry(() => readableWorkflow(ctx, workflowId));
    return updateIncomingWebhook(ctx, { ...body, ...params });
  }

  @Serves(endpoints.removeIncomingWebhook)
  remove(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.removeIncomingWebhook>,
  ): Promise<IncomingWebhook> {
    return removeIncomingWebhook(ctx, params);
  }

  @Serves(endpoints.rotateIncomingWebhook)
  rotate(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.rotateIncomingWebhook>,
  ): Promise<IncomingWebhookWithSecret> {
    return rotateIncomingWebhook(ctx, { ...params, ...body }, this.ring);
  }

  @Serves(endpoints.takeOverIncomingWebhook)
  takeOver(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.takeOverIncomingWebhook>,
  ): Promise<IncomingWebhookWithSecret> {
    return takeOverIncomingWebhook(ctx, params, this.ring);
  }

  @Serves(endpoints.listIncomingCalls)
  async calls(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listIncomingCalls>,
  ): Promise<ListResponse<IncomingWebhookCall>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listIncomingCalls(ctx, { ...params, ...query })));
  }
}
