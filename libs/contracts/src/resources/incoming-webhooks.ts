import { endpoint } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, oneOf, record, text, uuid } from '../schema/field.js';
import { PageQuery } from '../schema/paging.js';
import { PlatformExecutionAccepted } from './runs.js';

export class IncomingWebhookPath {
  @uuid({ description: 'The incoming webhook.' })
  webhookId!: string;
}

export class IncomingWebhookQuery extends PageQuery {
  @uuid({ optional: true, description: 'Those that start this workflow only.' })
  workflowId?: string;
}

export class NewIncomingWebhookRequest {
  @uuid({ description: 'The workflow that a call starts: one of your own or one that you can see.' })
  workflowId!: string;

  @text({ min: 1, max: 100, pattern: /\S/, description: 'Who calls, as lists will show it.' })
  name!: string;
}

export class UpdateIncomingWebhookRequest {
  @uuid({ optional: true, description: 'Calls from now on start this workflow.' })
  workflowId?: string;

  @text({ min: 1, max: 100, pattern: /\S/, optional: true })
  name?: string;

  @flag({ optional: true, description: 'false: calls are answered as if there were no such webhook.' })
  enabled?: boolean;
}

export class RotateIncomingWebhookRequest {
  @integer({
    min: 0,
    max: 604_800,
    description: 'For so long the old secret opens as well. 0: it is dead at once.',
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

  @text({ description: 'Where it is called, relative to the address of the API.' })
  path!: string;

  @flag()
  enabled!: boolean;

  @dateTime({ nullable: true, description: 'Until when the secret before the present one opens too.' })
  previousSecretUntil!: string | null;

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}

export class IncomingWebhookWithSecret extends IncomingWebhook {
  @text({ description: 'What callers sign with or send. It is shown this once.' })
  secret!: string;
}

export class IncomingWebhookCall {
  @uuid()
  id!: string;

  @integer({ description: 'What was answered: 202 for a call that was accepted.' })
  status!: number;

  @text({ nullable: true, description: 'Why it was refused.' })
  reason!: string | null;

  @oneOf(['secret', 'signature', 'bearer'], {
    nullable: true,
    description: 'How the caller proved who they are; null when they did not.',
  })
  via!: 'secret' | 'signature' | 'bearer' | null;

  @uuid({ nullable: true })
  runId!: string | null;

  @text({ nullable: true, description: 'The Idempotency-Key or X-Webhook-Delivery-Id of the call.' })
  deliveryKey!: string | null;

  @text({
    nullable: true,
    description: 'At most 16 KB, without what looks like a secret; null for what strangers sent.',
  })
  body!: string | null;

  @integer({ min: 0, description: 'How long the body was.' })
  bodyBytes!: number;

  @text({ description: 'Where it came from.' })
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
    summary: 'Creates an address that starts a workflow when it is called; its secret is shown this once',
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
    summary: 'Gives an incoming webhook a new secret; the old one is accepted for as long as asked for',
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
      'X-Webhook-Secret': 'The secret itself; one of four ways to authenticate.',
      'X-Webhook-Signature': '`sha256=` and the hexadecimal HMAC-SHA-256 of the body under the secret.',
      'X-Hub-Signature-256': 'The same, for senders that name it so.',
      'X-Webhook-Timestamp':
        'Seconds since 1970: what is signed is then this, a dot and the body; valid for 5 minutes.',
      'Idempotency-Key': 'Calls with the same one within 24 hours start one run.',
      'X-Webhook-Delivery-Id': 'The same, for senders that name it so.',
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
