import {
  type WebhookEndpointReply,
  type WebhookEndpointWithSecret,
  type WebhookEventReply,
  type WebhookListening,
  type WebhookTestReply,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Platform, Serves } from '@lensforge/edge';
import { KeyRing } from '@lensforge/vault';
import {
  createEndpoint,
  disableOwnEndpoint,
  enableEndpoint,
  listEndpoints,
  listEvents,
  listenForEvents,
  readableEndpoint,
  removeEndpoint,
  rotateSecret,
  takeOverEndpoint,
  testEndpoint,
  updateEndpoint,
} from '@lensforge/webhooks';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { pageResponse } from './page-response.js';

@Controller()
export class WebhookEndpointsController {
  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly ring: KeyRing,
  ) {}

  @Serves(endpoints.listWebhookEndpoints)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listWebhookEndpoints>,
  ): Promise<ListResponse<WebhookEndpointReply>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listEndpoints(ctx, query)));
  }

  @Serves(endpoints.createWebhookEndpoint)
  create(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.createWebhookEndpoint>,
  ): Promise<WebhookEndpointWithSecret> {
    return createEndpoint(
      ctx,
      { ...body, limit: this.platform.environment.LENSFORGE_WEBHOOK_ENDPOINTS_PER_ACCOUNT },
      this.ring,
    );
  }

  @Serves(endpoints.getWebhookEndpoint)
  read(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.getWebhookEndpoint>,
  ): Promise<WebhookEndpointReply> {
    return withDbRetry(() => readableEndpoint(ctx, params.endpointId));
  }

  @Serves(endpoints.updateWebhookEndpoint)
  update(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.updateWebhookEndpoint>,
  ): Promise<WebhookEndpointReply> {
    return updateEndpoint(ctx, { ...body, ...params });
  }

  @Serves(endpoints.deleteWebhookEndpoint)
  remove(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.deleteWebhookEndpoint>,
  ): Promise<WebhookEndpointReply> {
    return removeEndpoint(ctx, params);
  }

  @Serves(endpoints.rotateWebhookSecret)
  rotate(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.rotateWebhookSecret>,
  ): Promise<WebhookEndpointWithSecret> {
    return rotateSecret(ctx, { ...body, ...params }, this.ring);
  }

  @Serves(endpoints.enableWebhookEndpoint)
  enable(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.enableWebhookEndpoint>,
  ): Promise<WebhookEndpointReply> {
    return enableEndpoint(ctx, params);
  }

  @Serves(endpoints.takeOverWebhookEndpoint)
  takeOver(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.takeOverWebhookEndpoint>,
  ): Promise<WebhookEndpointWithSecret> {
    return takeOverEndpoint(ctx, params, this.ring);
  }

  @Serves(endpoints.disableWebhookEndpoint)
  disable(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.disableWebhookEndpoint>,
  ): Promise<WebhookEndpointReply> {
    return disableOwnEndpoint(ctx, params);
  }

  @Serves(endpoints.testWebhookEndpoint)
  test(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.testWebhookEndpoint>,
  ): Promise<WebhookTestReply> {
    return testEndpoint(ctx, { ...body, ...params });
  }

  @Serves(endpoints.listWebhookEvents)
  async events(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listWebhookEvents>,
  ): Promise<ListResponse<WebhookEventReply>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listEvents(ctx, query)));
  }

  @Serves(endpoints.listenForWebhookEvents)
  listen(@Caller() ctx: Context): Promise<WebhookListening> {
    return withDbRetry(() => listenForEvents(ctx));
  }
}
