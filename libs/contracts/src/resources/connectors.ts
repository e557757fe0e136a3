import { type CreditPeriod, creditPeriods } from './credit-period.js';
import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { oneOfKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';
import { type ScopeList, scopeList } from '../catalogue/scope-list.js';
import { type Scope, scopes } from '../catalogue/scopes.js';

export class ConnectorPath {
  @uuid({ description: 'The connector.' })
  connectorId!: string;
}

export class ConnectorQuery extends PageQuery {
  @uuid({ optional: true, description: 'Connectors of this community only.' })
  communityId?: string;
}

export class NewConnectorRequest {
  @text({ min: 1, max: 100, pattern: /\S/, description: 'A name for lists.' })
  name!: string;

  @scopeList({ description: 'A list, or a text with commas between the scopes; at most those of the creator.' })
  scopes!: ScopeList;

  @integer({ min: 90, max: 365, description: 'Days until its service token expires.' })
  ttl = 365;

  @integer({
    min: 0,
    max: 1_000_000_000_000,
    optional: true,
    description: 'The maximum credits that its runs may cost.',
  })
  creditLimit?: number;

  @oneOf(creditPeriods, { description: 'month: the limit is for each calendar month (UTC); total: for all time.' })
  creditPeriod: CreditPeriod = 'month';

  @uuid({ optional: true, description: 'The community that it acts for; the account of the caller when absent.' })
  communityId?: string;
}

export class RotateConnectorRequest {
  @integer({
    min: 90,
    max: 365,
    optional: true,
    description: 'Days until the new token expires; the previous number when absent.',
  })
  ttl?: number;
}

export class ServiceTokenSummary {
  @uuid()
  id!: string;

  @text({ description: 'The first characters of its value.' })
  prefix!: string;

  @dateTime()
  createdAt!: string;

  @dateTime()
  expiresAt!: string;

  @dateTime({ nullable: true, description: 'Updated at most once a minute.' })
  lastUsedAt!: string | null;
}

export class Connector {
  @uuid()
  id!: string;

  @uuid({ description: 'The account that it acts for: a person or a community.' })
  accountId!: string;

  @text()
  name!: string;

  @list(oneOfKind(scopes))
  scopes!: Scope[];

  @dateTime()
  createdAt!: string;

  @nested(() => ServiceTokenSummary, {
    nullable: true,
    description: 'null after a revocation, until the next rotation.',
  })
  token!: ServiceTokenSummary | null;
}

export class ConnectorWithToken extends Connector {
  @text({ description: 'The service token. It is shown only now and not stored.' })
  value!: string;
}

export const connectorEndpoints = defineEndpoints({
  listConnectors: {
    route: 'GET /v1/connectors',
    summary: 'Lists connectors of the account and of the communities it administers, the newest first',
    description:
      'A connector is an external program with a service token of its own. communityId shows those of one community.',
    query: ConnectorQuery,
    reply: Connector,
    scopes: ['connectors:read'],
    rate: 'list',
    errors: [404],
    replies: 'list',
  },
  createConnector: {
    route: 'POST /v1/connectors',
    summary: 'Registers a connector; the value of its service token is shown this once',
    description:
      'The service token is limited to the requested scopes, which cannot exceed those of the creator, and is valid for 90 to 365 days. Store its value: no request shows it again.',
    body: NewConnectorRequest,
    example: { name: 'Nightly report', scopes: 'lenses:read', ttl: 180 },
    reply: ConnectorWithToken,
    status: 201,
    scopes: ['connectors:write'],
    rate: 'create',
    errors: [404, 409],
  },
  getConnector: {
    route: 'GET /v1/connectors/{connectorId}',
    summary: 'Reads a connector',
    description: 'Shows the name, the scopes, the budget and the expiry of the service token, without its value.',
    params: ConnectorPath,
    reply: Connector,
    scopes: ['connectors:read'],
    rate: 'read',
  },
  removeConnector: {
    route: 'DELETE /v1/connectors/{connectorId}',
    summary: 'Removes a connector; its service token stops working at once',
    description: 'The service token is refused as soon as the reply arrives. Runs that it has started continue.',
    params: ConnectorPath,
    reply: Connector,
    scopes: ['connectors:write'],
    rate: 'write',
  },
  rotateConnector: {
    route: 'POST /v1/connectors/{connectorId}/rotate',
    summary: 'Gives a connector a new service token; the old one stops working at once',
    description:
      'The reply has the new value, which is shown only now. There is no overlap: store the new value in the program before its next request.',
    params: ConnectorPath,
    body: RotateConnectorRequest,
    reply: ConnectorWithToken,
    scopes: ['connectors:write'],
    rate: 'write',
  },
});
