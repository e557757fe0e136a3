import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { PageQuery } from '../schema/paging.js';
import { PlatformExecutionAccepted } from './runs.js';
import { type SuspendedReason, TriggerAuthority, ofSuspendedReason, suspendedReasons } from './trigger-authority.js';

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
  @integer({ min: 0, max: 604_800, description: 'Seconds for which the old secret stays valid; 0 ends it at once.' })
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

  @nested(() => TriggerAuthority, { description: 'The rights of the runs that it starts.' })
  authority!: TriggerAuthority;

  @oneOf(suspendedReasons, ofSuspendedReason)
  suspendedReason!: SuspendedReason | null;

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

const ofOne = { params: IncomingWebhookPath, reply: IncomingWebhook, scopes: ['workflows:write'] } as const;

export const incomingWebhookEndpoints = defineEndpoints({
  listIncomingWebhooks: {
    route: 'GET /v1/incoming-webhooks',
    summary: 'Lists incoming webhooks, the newest first',
    description:
      'An incoming webhook is a URL that starts a workflow when it is called. workflowId filters the list. Secrets are not shown.',
    query: IncomingWebhookQuery,
    reply: IncomingWebhook,
    scopes: ['workflows:write'],
    rate: 'list',
    replies: 'list',
  },
  createIncomingWebhook: {
    route: 'POST /v1/incoming-webhooks',
    summary: 'Creates an incoming webhook, whose calls start a workflow; its secret is shown only now',
    description:
      'The workflow is one of the caller, or one that the caller can see. The reply has the path of the webhook and the secret with which calls are authenticated.',
    body: NewIncomingWebhookRequest,
    reply: IncomingWebhookWithSecret,
    status: 201,
    scopes: ['workflows:write'],
    rate: 'create',
    errors: [404, 409],
  },
  getIncomingWebhook: {
    ...ofOne,
    route: 'GET /v1/incoming-webhooks/{webhookId}',
    summary: 'Reads an incoming webhook',
    description: 'Shows the path, the workflow and whether calls are accepted.',
    rate: 'read',
  },
  updateIncomingWebhook: {
    ...ofOne,
    route: 'PATCH /v1/incoming-webhooks/{webhookId}',
    summary: 'Changes the name or the workflow of an incoming webhook, enables or disables it',
    description:
      'Absent members stay as they are. With enabled: false, calls get the same reply as for an unknown webhook.',
    body: UpdateIncomingWebhookRequest,
    rate: 'write',
  },
  removeIncomingWebhook: {
    ...ofOne,
    route: 'DELETE /v1/incoming-webhooks/{webhookId}',
    summary: 'Removes an incoming webhook',
    description: 'Later calls get 401. Runs that it has started continue.',
    rate: 'write',
  },
  rotateIncomingWebhook: {
    ...ofOne,
    route: 'POST /v1/incoming-webhooks/{webhookId}/rotate',
    summary: 'Gives an incoming webhook a new secret; the old one stays valid for the requested time',
    description: 'Both secrets are valid for overlapSeconds; 0, the default, ends the old one at once.',
    body: RotateIncomingWebhookRequest,
    reply: IncomingWebhookWithSecret,
    rate: 'write',
  },
  takeOverIncomingWebhook: {
    ...ofOne,
    route: 'POST /v1/incoming-webhooks/{webhookId}/take-over',
    summary: 'Takes an incoming webhook over: its runs get the rights of the caller, and its secret is replaced',
    description:
      'Ends a suspension. The old secret is invalid at once, and the new one is shown only now. Later runs count against the credit limit of the credential of the caller.',
    reply: IncomingWebhookWithSecret,
    rate: 'write',
  },
  listIncomingCalls: {
    ...ofOne,
    route: 'GET /v1/incoming-webhooks/{webhookId}/calls',
    summary: 'Lists calls of an incoming webhook, accepted and refused, the newest first',
    description:
      'Each call has its status, the reason of a refusal, the kind of authentication, the run, and the body without its secrets.',
    query: PageQuery,
    reply: IncomingWebhookCall,
    rate: 'list',
    replies: 'list',
  },
  callIncomingWebhook: {
    route: 'POST /v1/webhooks/{webhookId}',
    summary: 'Starts the workflow of an incoming webhook',
    description:
      'Needs the secret of the webhook, a signature with it, or a token of its owner. params that do not match the inputs of the workflow are refused with 422. A delivery id makes the call safe to repeat.',
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
    errors: [401, 422],
  },
});
