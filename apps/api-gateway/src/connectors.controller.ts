import { type Connector, type ConnectorWithToken, endpoints, scopesIn } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Platform, Serves } from '@lensforge/edge';
import {
  createConnector,
  listConnectors,
  readableConnector,
  removeConnector,
  rotateConnector,
} from '@lensforge/identity';
import { Controller } from '@nestjs/common';
import type { GatewayEnvironment } from './environment.js';
import { pageResponse } from './page-response.js';

@Controller()
export class ConnectorsController {
  constructor(private readonly platform: Platform<GatewayEnvironment>) {}

  @Serves(endpoints.listConnectors)
  async list(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listConnectors>,
  ): Promise<ListResponse<Connector>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listConnectors(ctx, query)));
  }

  @Serves(endpoints.createConnector)
  create(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.createConnector>,
  ): Promise<ConnectorWithToken> {
    const { scopes, ttl, ...input } = body;
    return createConnector(ctx, {
      ...input,
      scopes: scopesIn(scopes),
      days: ttl,
      limit: this.platform.environment.LENSFORGE_CONNECTORS_PER_ACCOUNT,
    });
  }

  @Serves(endpoints.getConnector)
  read(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.getConnector>): Promise<Connector> {
    return withDbRetry(() => readableConnector(ctx, params.connectorId));
  }

  @Serves(endpoints.rotateConnector)
  rotate(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.rotateConnector>,
  ): Promise<ConnectorWithToken> {
    return rotateConnector(ctx, { ...params, days: body.ttl });
  }

  @Serves(endpoints.removeConnector)
  remove(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.removeConnector>): Promise<Connector> {
    return removeConnector(ctx, params);
  }
}
