import { endpoint } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, oneOf, record, text, uuid } from '../schema/field.js';
import { PageQuery } from '../schema/paging.js';
import { PlatformExecutionAccepted } from './runs.js';

export class IncomingWebhookPath {
  @uuid({ description: 'The incoming webhook.' })
  webhookId!: string;
}

export class IncomingWebhookQuery extends PageQuery {
  @uuid({ optional: true, description: 'Incoming webhooks that start this workflow.' })
  workflowId?: string;
}

export class NewIncomingWebhookRequest {
  @uuid({ description: 'The workflow that a call starts: your own, or one that you can see.' })
  workflowId!: string;

  @text({ min: 1, max: 100, pattern: /\S/, description: 'A name for lists.' })
  name!: string;
}

export class UpdateIncomingWebhookRequest {
  @uuid({ optional: true, description: 'The workflow that later calls start.' })
  workflowId?: string;

  @text({ min: 1, max: 100, pattern: /\S/, optional: true })
  name?: string;

  @flag({ optional: true, description: 'false: calls get the same response as for an unknown webhook.' })
  enabled?: boolean;
}

export class RotateIncomingWebhookRequest {
  @integer({
    min: 0,
    max: 604_800,
    description: 'Seconds for which the old secret stays valid; 0 ends it at once.',
  })
  overlapSeconds = 0;
}

export class IncomingWebhook {
  @uuid()
  id!: string;

  @uuid({ description: 'The account whose runs the calls start.' })
  accountId!: string;

  @uuid()
  workflowId!: string;

  @text()
  name!: string;

  @text({ description: 'The path to call, relative to the URL of the API.' })
  path!: string;

  @flag()
  enabled!: boolean;

  @dateTime({ nullable: true, description: 'The time until which the previous secret is valid.' })
  previousSecretUntil!: string | null;

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}

export class IncomingWebhookWithSecret extends IncomingWebhook {
  @text({ description: 'The secret that callers send or sign with. It is shown only now.' })
  secret!: string;
}

export class IncomingWebhookCall {
  @uuid()
  id!: string;

  @integer({ description: 'The status of the response: 202 for an accepted call.' })
  status!: number;

  @text({ nullable: true, description: 'The reason of a refusal.' })
  reason!: string | null;

  @oneOf(['secret', 'signature', 'bearer'], {
    nullable: true,
    description: 'The method of authentication; null when it failed.',
  })
  via!: 'secret' | 'signature' | 'bearer' | null;

  @uuid({ nullable: true })
  runId!: string | null;

  @text({ nullable: true, description: 'The Idempotency-Key or X-Webhook-Delivery-Id of the call.' })
  deliveryKey!: string | null;

  @text({
    nullable: true,
    description: 'At most 16 KB, with secrets redacted; null for a call that was not authenticated.',
  })
  body!: string | null;

  @integer({ min: 0, description: 'The size of the body in bytes.' })
  bodyBytes!: number;

  @text({ description: 'The IP address of the caller.' })
  address!: string;

  @uuid()
  requestId!: string;

  @dateTime()
  receivedAt!: string;
}

export class CalledWebhookPath {
  @text({ max: 500, description: 'The incoming webhook.' })
  webhookId!: string;
}

export class CalledWebhookBody {
  @record({ description: 'The inputs of the workflow. Other members are ignored.' })
  params!: Record<string, unknown>;
}

const ofOne = {
  params: IncomingWebhookPath,
  reply: IncomingWebhook,
  status: 200,
  scopes: ['workflows:write'],
  errors: [400, 401, 403, 404, 429, 500],
  replies: 'envelope',
} as const;

const withBody = { ...ofOne, errors: [400, 401, 403, 404, 413, 415, 429, 500] } as const;

export const incomingWebhookEndpoints = {
  listIncomingWebhooks: endpoint({
    id: 'listIncomingWebhooks',
    method: 'GET',
    path: '/v1/incoming-webhooks',
    summary: 'Lists incoming webhooks, the newest first',
    query: IncomingWebhookQuery,
    reply: IncomingWebhook,
    status: 200,
    scopes: ['workflows:write'],
    rate: 'list',
    errors: [400, 401, 403, 429, 500],
    replies: 'list',
  }),
  createIncomingWebhook: endpoint({
    id: 'createIncomingWebhook',
    method: 'POST',
    path: '/v1/incoming-webhooks',
    summary: 'Creates an incoming webhook, whose calls start a workflow; its secret is shown only now',
    body: NewIncomingWebhookRequest,
    reply: IncomingWebhookWithSecret,
    status: 201,
    scopes: ['workflows:write'],
    rate: 'create',
    errors: [400, 401, 403, 404, 409, 413, 415, 429, 500],
    replies: 'envelope',
  }),
  getIncomingWebhook: endpoint({
    ...ofOne,
    id: 'getIncomingWebhook',
    method: 'GET',
    path: '/v1/incoming-webhooks/{webhookId}',
    summary: 'Reads an incoming webhook',
    rate: 'read',
  }),
  updateIncomingWebhook: endpoint({
    ...withBody,
    id: 'updateIncomingWebhook',
    method: 'PATCH',
    path: '/v1/incoming-webhooks/{webhookId}',
    summary: 'Changes the name or the workflow of an incoming webhook, enables or disables it',
    body: UpdateIncomingWebhookRequest,
    rate: 'write',
  }),
  removeIncomingWebhook: endpoint({
    ...ofOne,
    id: 'removeIncomingWebhook',
    method: 'DELETE',
    path: '/v1/incoming-webhooks/{webhookId}',
    summary: 'Removes an incoming webhook',
    rate: 'write',
  }),
  rotateIncomingWebhook: endpoint({
    ...withBody,
    id: 'rotateIncomingWebhook',
    method: 'POST',
    path: '/v1/incoming-webhooks/{webhookId}/rotate',
    summary: 'Gives an incoming webhook a new secret; the old one stays valid for the requested time',
    body: RotateIncomingWebhookRequest,
    reply: IncomingWebhookWithSecret,
    rate: 'write',
  }),
  listIncomingCalls: endpoint({
    ...ofOne,
    id: 'listIncomingCalls',
    method: 'GET',
    path: '/v1/incoming-webhooks/{webhookId}/calls',
    summary: 'Lists calls of an incoming webhook, accepted and refused, the newest first',
    query: PageQuery,
    reply: IncomingWebhookCall,
    rate: 'list',
    replies: 'list',
  }),
  callIncomingWebhook: endpoint({
    id: 'callIncomingWebhook',
    method: 'POST',
    path: '/v1/webhooks/{webhookId}',
    summary: 'Starts the workflow of an incoming webhook',
    headers: {
      'X-Webhook-Secret': 'The secret; one of four ways to authenticate.',
      'X-Webhook-Signature': '`sha256=` and the hexadecimal HMAC-SHA-256 of the body under the secret.',
      'X-Hub-Signature-256': 'The same as X-Webhook-Signature, under the name that GitHub uses.',
      'X-Webhook-Timestamp':
        'Seconds since 1970. The signature then covers this value, a dot and the body, and is valid for 5 minutes.',
      'Idempotency-Key': 'Calls with the same key within 24 hours start one run.',
      'X-Webhook-Delivery-Id': 'The same as Idempotency-Key.',
    },
    params: CalledWebhookPath,
    body: CalledWebhookBody,
    rawBody: true,
    reply: PlatformExecutionAccepted,
    status: 202,
    scopes: [],
    rate: 'incoming',
    errors: [400, 401, 404, 413, 415, 422, 429, 500],
    replies: 'envelope',
  }),
} as const;
