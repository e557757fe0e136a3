import {
  type RunWebhookDelivery,
  type WebhookDeliveryItem,
  type WebhookDeliveryReply,
  type WebhookReplayReply,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import { readableRun } from '@lensforge/runs';
import {
  listDeliveries,
  listReplays,
  listRunDeliveries,
  readDelivery,
  readReplay,
  redeliver,
  replayEvents,
} from '@lensforge/webhooks';
import { Controller } from '@nestjs/common';
import { pageResponse } from './page-response.js';

@Controller()
export class WebhookDeliveriesController {
  @Serves(endpoints.listWebhookDeliveries)
  async list(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listWebhookDeliveries>,
  ): Promise<ListResponse<WebhookDeliveryItem>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listDeliveries(ctx, { ...query, ...params })));
  }

  @Serves(endpoints.listRunWebhookDeliveries)
  async listOfRun(
    @Caller() ctx: Context,
    @Input() { params: { runId }, query }: InputOf<typeof endpoints.listRunWebhookDeliveries>,
  ): Promise<ListResponse<RunWebhookDelivery>> {
    return pageResponse(
      await readFromReplica(ctx, async (ctx) => {
        const { completedAt } = await readableRun(ctx, runId);
        return listRunDeliveries(ctx, { ...query, runId, completedAt });
      }),
    );
  }

  @Serves(endpoints.getWebhookDelivery)
  read(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getWebhookDelivery>,
  ): Promise<WebhookDeliveryReply> {
    return withDbRetry(() => readDelivery(ctx, params));
  }

  @Serves(endpoints.redeliverWebhook)
  redeliver(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.redeliverWebhook>,
  ): Promise<WebhookDeliveryItem> {
    return redeliver(ctx, params);
  }

  @Serves(endpoints.listWebhookReplays)
  async replays(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listWebhookReplays>,
  ): Promise<ListResponse<WebhookReplayReply>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listReplays(ctx, { ...query, ...params })));
  }

  @Serves(endpoints.replayWebhookEvents)
  replay(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.replayWebhookEvents>,
  ): Promise<WebhookReplayReply> {
    return replayEvents(ctx, { ...body, ...params });
  }

  @Serves(endpoints.getWebhookReplay)
  getReplay(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getWebhookReplay>,
  ): Promise<WebhookReplayReply> {
    return withDbRetry(() => readReplay(ctx, params));
  }
}
