import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, json, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { nestedKind, oneOfKind } from '../schema/kinds.js';
import { PageQuery, ShortListQuery } from '../schema/paging.js';
import { type PlatformEventType, platformEventTypes } from '../catalogue/platform-events.js';
import { RunPath } from './runs.js';
import { type SuspendedReason, ofSuspendedReason, suspendedReasons } from './trigger-authority.js';

export const deliveryStateNames = ['pending', 'sending', 'delivered', 'exhausted', 'canceled'] as const;
export type DeliveryStateName = (typeof deliveryStateNames)[number];
export const deliveryCauseNames = ['event', 'test', 'redelivery', 'replay'] as const;
export type DeliveryCauseName = (typeof deliveryCauseNames)[number];
export const replayedKinds = ['undelivered', 'all'] as const;
export type ReplayedKindName = (typeof replayedKinds)[number];

const deliveredEvents = [...platformEventTypes, 'webhook.test'] as const;

export class WebhookEndpointPath {
  @uuid({ description: 'The endpoint.' })
  endpointId!: string;
}

export class WebhookDeliveryPath extends WebhookEndpointPath {
  @uuid({ description: 'The delivery.' })
  deliveryId!: string;
}

export class WebhookReplayPath extends WebhookEndpointPath {
  @uuid({ description: 'The replay.' })
  replayId!: string;
}

const url = { min: 1, max: 2048, description: 'An https:// address without user name, password and fragment.' };
const events = { min: 1, max: platformEventTypes.length, description: 'The types of events to deliver.' };
const description = { max: 500, description: 'A description for lists.' };

export class NewWebhookEndpointRequest {
  @text(url)
  url!: string;

  @list(oneOfKind(platformEventTypes), events)
  events!: PlatformEventType[];

  @text(description)
  description = '';
}

export class WebhookEndpointChange {
  @text({ ...url, optional: true })
  url?: string;

  @list(oneOfKind(platformEventTypes), { ...events, optional: true })
  events?: PlatformEventType[];

  @text({ ...description, optional: true })
  description?: string;
}

export class RotateWebhookSecretRequest {
  @integer({
    min: 0,
    max: 604_800,
    description: 'Seconds for which the old secret also signs the Standard Webhooks header; 0 ends it at once.',
  })
  overlapSeconds = 86_400;
}

export class TestWebhookRequest {
  @oneOf(platformEventTypes, {
    optional: true,
    description: 'The type of the event, which has example data; webhook.test when absent.',
  })
  event?: PlatformEventType;
}

export class WebhookReplayRequest {
  @dateTime({ description: 'Events at or after this time.' })
  from!: string;

  @dateTime({ optional: true, description: 'Events before this time; the current time when absent.' })
  to?: string;

  @oneOf(replayedKinds, { description: 'undelivered: events that the endpoint has not accepted; all: all events.' })
  what: ReplayedKindName = 'undelivered';
}

export class WebhookDeliveryQuery extends PageQuery {
  @oneOf(deliveryStateNames, { optional: true })
  state?: DeliveryStateName;

  @oneOf(deliveredEvents, { optional: true })
  event?: (typeof deliveredEvents)[number];

  @dateTime({ optional: true, description: 'Deliveries created at or after this time.' })
  from?: string;

  @dateTime({ optional: true, description: 'Deliveries created before this time.' })
  to?: string;
}

export class WebhookEventQuery extends PageQuery {
  @oneOf(deliveredEvents, { optional: true })
  event?: (typeof deliveredEvents)[number];

  @dateTime({ optional: true, description: 'Events at or after this time.' })
  from?: string;

  @dateTime({ optional: true, description: 'Events before this time.' })
  to?: string;
}

export class WebhookEndpointReply {
  @uuid()
  id!: string;

  @text()
  url!: string;

  @text()
  description!: string;

  @list(oneOfKind(platformEventTypes))
  events!: PlatformEventType[];

  @flag()
  enabled!: boolean;

  @oneOf(['gone', 'failing', 'owner'], {
    nullable: true,
    description: 'gone: it returned 410. failing: all deliveries failed for days. owner: it was disabled by request.',
  })
  disabledReason!: string | null;

  @uuid({ nullable: true, description: 'The person who created it or took it over; null when unknown.' })
  creatorId!: string | null;

  @oneOf(suspendedReasons, ofSuspendedReason)
  suspendedReason!: SuspendedReason | null;

  @dateTime({ nullable: true })
  disabledAt!: string | null;

  @dateTime({ nullable: true, description: 'The first failure since the last success.' })
  failingSince!: string | null;

  @dateTime({ nullable: true, description: 'After repeated failures, deliveries wait until this time.' })
  pausedUntil!: string | null;

  @dateTime({ nullable: true, description: 'The time until which the previous secret also signs.' })
  previousSecretUntil!: string | null;

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}

export class WebhookEndpointWithSecret extends WebhookEndpointReply {
  @text({ description: 'The secret that signs deliveries. It is shown only now and stored sealed.' })
  secret!: string;
}

export class WebhookDeliveryItem {
  @uuid()
  id!: string;

  @uuid()
  endpointId!: string;

  @uuid({ description: 'The event id that the receiver gets: the same in every attempt, redelivery and replay.' })
  eventId!: string;

  @oneOf(deliveredEvents)
  event!: string;

  @oneOf(deliveryCauseNames, { description: 'The last cause of the delivery.' })
  cause!: string;

  @oneOf(deliveryStateNames, {
    description: 'exhausted: all attempts failed. canceled: the endpoint was disabled before.',
  })
  state!: string;

  @integer({ min: 0, description: 'Attempts with a known outcome since the last redelivery.' })
  tries!: number;

  @integer({ nullable: true, description: 'The HTTP status of the last response.' })
  lastStatus!: number | null;

  @text({ nullable: true, description: 'The reason of the last failure, when it is not the HTTP status.' })
  lastError!: string | null;

  @dateTime({ nullable: true, description: 'The time of the next attempt.' })
  nextAttemptAt!: string | null;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  endedAt!: string | null;
}

export class RunWebhookDelivery extends WebhookDeliveryItem {
  @text({ description: 'The address of the endpoint.' })
  endpointUrl!: string;
}

export class WebhookAttemptReply {
  @integer({ min: 1 })
  number!: number;

  @integer({ nullable: true, description: 'null: there was no response.' })
  status!: number | null;

  @text({
    nullable: true,
    description: 'The reason of the failure, such as connect_failed, answer_timeout or redirected.',
  })
  error!: string | null;

  @text({ nullable: true })
  detail!: string | null;

  @text({ description: 'The first 4 KB of the response, as text.' })
  answer!: string;

  @integer({ min: 0 })
  durationMs!: number;

  @dateTime({ description: 'The time at which it ended.' })
  at!: string;
}

export class WebhookRequestReply {
  @record({
    description: 'The headers that all attempts have. The signatures and the time of an attempt are not stored.',
  })
  headers!: Record<string, string>;

  @text({ description: 'The JSON that all attempts have, without its last member signature.' })
  body!: string;
}

export class WebhookDeliveryReply extends WebhookDeliveryItem {
  @list(nestedKind(() => WebhookAttemptReply), { description: 'The oldest first.' })
  attempts!: WebhookAttemptReply[];

  @nested(() => WebhookRequestReply, { description: 'The request that is sent to the endpoint.' })
  request!: WebhookRequestReply;
}

export class WebhookTestReply {
  @uuid({ description: 'The delivery, to read its outcome.' })
  deliveryId!: string;

  @uuid()
  eventId!: string;
}

export class WebhookEventReply {
  @uuid()
  id!: string;

  @oneOf(deliveredEvents)
  event!: string;

  @dateTime()
  occurredAt!: string;

  @json({ description: 'The data of the event.' })
  data!: unknown;
}

export class WebhookListening {
  @dateTime({ description: 'Events are stored until then; a listener calls again before.' })
  until!: string;
}

export class WebhookReplayReply {
  @uuid()
  id!: string;

  @uuid()
  endpointId!: string;

  @dateTime()
  from!: string;

  @dateTime()
  to!: string;

  @oneOf(replayedKinds)
  what!: string;

  @oneOf(['running', 'done', 'canceled'], { description: 'canceled: the endpoint was disabled during the replay.' })
  state!: string;

  @integer({ min: 0, description: 'The number of events that were checked.' })
  looked!: number;

  @integer({ min: 0, description: 'The number of deliveries that were created or redelivered.' })
  made!: number;

  @dateTime({ nullable: true, description: 'The time of the last event that was checked.' })
  reachedAt!: string | null;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  endedAt!: string | null;
}

export const webhookEndpointEndpoints = defineEndpoints({
  listWebhookEndpoints: {
    route: 'GET /v1/webhook-endpoints',
    summary: 'Lists the webhook endpoints of the account, the newest first',
    description: 'Shows addresses, events and states. Secrets are not shown.',
    query: PageQuery,
    reply: WebhookEndpointReply,
    scopes: ['workflows:read'],
    rate: 'list',
    replies: 'list',
  },
  createWebhookEndpoint: {
    route: 'POST /v1/webhook-endpoints',
    summary: 'Registers a webhook endpoint; its secret is shown only now',
    description:
      'The address must be public and use https. Deliveries are signed with the secret of the reply; store it, since no other request shows it.',
    body: NewWebhookEndpointRequest,
    example: { url: 'https://example.com/lensforge', events: ['run.completed', 'run.failed'] },
    reply: WebhookEndpointWithSecret,
    status: 201,
    scopes: ['workflows:write'],
    rate: 'create',
    errors: [409],
  },
  getWebhookEndpoint: {
    route: 'GET /v1/webhook-endpoints/{endpointId}',
    summary: 'Reads a webhook endpoint',
    description: 'Shows whether deliveries are enabled, paused after failures or disabled, with the reason.',
    params: WebhookEndpointPath,
    reply: WebhookEndpointReply,
    scopes: ['workflows:read'],
    rate: 'read',
  },
  updateWebhookEndpoint: {
    route: 'PATCH /v1/webhook-endpoints/{endpointId}',
    summary: 'Changes the address, the events or the description of a webhook endpoint',
    description:
      'Absent members stay as they are. Deliveries that wait are sent to the new address, which starts without failures.',
    params: WebhookEndpointPath,
    body: WebhookEndpointChange,
    reply: WebhookEndpointReply,
    scopes: ['workflows:write'],
    rate: 'write',
  },
  deleteWebhookEndpoint: {
    route: 'DELETE /v1/webhook-endpoints/{endpointId}',
    summary: 'Removes a webhook endpoint with its deliveries',
    description: 'Deliveries that wait are not sent. The stored events of the account stay.',
    params: WebhookEndpointPath,
    reply: WebhookEndpointReply,
    scopes: ['workflows:write'],
    rate: 'write',
  },
  rotateWebhookSecret: {
    route: 'POST /v1/webhook-endpoints/{endpointId}/rotate',
    summary: 'Gives a webhook endpoint a new secret, shown only now; the old one also signs for a while',
    description:
      'During overlapSeconds the header webhook-signature has the signatures of both secrets. The other two signatures use the new secret at once.',
    params: WebhookEndpointPath,
    body: RotateWebhookSecretRequest,
    reply: WebhookEndpointWithSecret,
    scopes: ['workflows:write'],
    rate: 'write',
  },
  enableWebhookEndpoint: {
    route: 'POST /v1/webhook-endpoints/{endpointId}/enable',
    summary: 'Enables a webhook endpoint; canceled deliveries can be replayed',
    description: 'Deliveries begin with later events. Use replayWebhookEvents for events that were missed.',
    params: WebhookEndpointPath,
    reply: WebhookEndpointReply,
    scopes: ['workflows:write'],
    rate: 'write',
    errors: [409],
  },
  takeOverWebhookEndpoint: {
    route: 'POST /v1/webhook-endpoints/{endpointId}/take-over',
    summary: 'Takes a webhook endpoint over: it counts as created by the caller, and its secret is replaced',
    description:
      'Ends a suspension and enables the endpoint. The old secret signs nothing any more, and the new one is shown only now.',
    params: WebhookEndpointPath,
    reply: WebhookEndpointWithSecret,
    scopes: ['workflows:write'],
    rate: 'write',
  },
  disableWebhookEndpoint: {
    route: 'POST /v1/webhook-endpoints/{endpointId}/disable',
    summary: 'Disables a webhook endpoint; its waiting deliveries are canceled',
    description:
      'Later events are not delivered until the endpoint is enabled again. A repeated request has no further effect.',
    params: WebhookEndpointPath,
    reply: WebhookEndpointReply,
    scopes: ['workflows:write'],
    rate: 'write',
  },
  testWebhookEndpoint: {
    route: 'POST /v1/webhook-endpoints/{endpointId}/test',
    summary: 'Sends a test event through the normal delivery',
    description:
      'Sends webhook.test, or with event an event of that type with example data. A disabled endpoint is refused with 409.',
    params: WebhookEndpointPath,
    body: TestWebhookRequest,
    reply: WebhookTestReply,
    status: 202,
    scopes: ['workflows:write'],
    rate: 'test',
    errors: [409],
  },
  listWebhookDeliveries: {
    route: 'GET /v1/webhook-endpoints/{endpointId}/deliveries',
    summary: 'Lists the deliveries to a webhook endpoint, the newest first',
    description:
      'state, event, from and to filter the list. Deliveries are stored for 30 days unless the operator chooses otherwise.',
    params: WebhookEndpointPath,
    query: WebhookDeliveryQuery,
    reply: WebhookDeliveryItem,
    scopes: ['workflows:read'],
    rate: 'list',
    replies: 'list',
  },
  listRunWebhookDeliveries: {
    route: 'GET /v1/runs/{runId}/webhook-deliveries',
    summary: 'Lists the webhook deliveries that a run caused, the newest first',
    description:
      'Lists the deliveries of run.completed or run.failed of this run to all endpoints of the account. Reading the run takes the scope of its kind, too. A run without subscribed endpoints has none, and neither has one that was canceled or has not ended.',
    params: RunPath,
    query: ShortListQuery,
    reply: RunWebhookDelivery,
    scopes: ['workflows:read'],
    rate: 'list',
    replies: 'list',
  },
  getWebhookDelivery: {
    route: 'GET /v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}',
    summary: 'Reads a delivery with its request and all its attempts',
    description: 'Each attempt has its time, status, duration, fault and the first 4 KB of the response.',
    params: WebhookDeliveryPath,
    reply: WebhookDeliveryReply,
    scopes: ['workflows:read'],
    rate: 'read',
  },
  redeliverWebhook: {
    route: 'POST /v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/redeliver',
    summary: 'Sends a delivery again, with the same event id and bytes',
    description:
      'A receiver that skips known event ids skips it. A delivery that waits is sent at once. One in progress is refused with 409, and so is a disabled endpoint.',
    params: WebhookDeliveryPath,
    reply: WebhookDeliveryItem,
    status: 202,
    scopes: ['workflows:write'],
    rate: 'test',
    errors: [409],
  },
  listWebhookReplays: {
    route: 'GET /v1/webhook-endpoints/{endpointId}/replays',
    summary: 'Lists the replays to a webhook endpoint, the newest first',
    description: 'Shows what each replay sends and how far it is.',
    params: WebhookEndpointPath,
    query: PageQuery,
    reply: WebhookReplayReply,
    scopes: ['workflows:read'],
    rate: 'list',
    replies: 'list',
  },
  replayWebhookEvents: {
    route: 'POST /v1/webhook-endpoints/{endpointId}/replays',
    summary: 'Replays the events of a time range, with their original ids',
    description:
      'Runs in the background. what: undelivered sends events that the endpoint never accepted, all sends all. An endpoint has one replay at a time; a second one is refused with 409.',
    params: WebhookEndpointPath,
    body: WebhookReplayRequest,
    reply: WebhookReplayReply,
    status: 202,
    scopes: ['workflows:write'],
    rate: 'test',
    errors: [409],
  },
  getWebhookReplay: {
    route: 'GET /v1/webhook-endpoints/{endpointId}/replays/{replayId}',
    summary: 'Reads the progress of a replay',
    description: 'Shows the number of events that were found and sent so far.',
    params: WebhookReplayPath,
    reply: WebhookReplayReply,
    scopes: ['workflows:read'],
    rate: 'read',
  },
  listWebhookEvents: {
    route: 'GET /v1/webhook-events',
    summary: 'Lists the stored events of the account, the newest first',
    description:
      'An event is stored when an endpoint of the account was subscribed to its type, or a program listened, as it occurred. event, from and to filter the list.',
    query: WebhookEventQuery,
    reply: WebhookEventReply,
    scopes: ['workflows:read'],
    rate: 'list',
    replies: 'list',
  },
  listenForWebhookEvents: {
    route: 'POST /v1/webhook-events/listen',
    summary: 'Stores the events of the account for two minutes, also without an endpoint',
    description:
      'For a program that reads GET /v1/webhook-events during development. It repeats the call every minute.',
    reply: WebhookListening,
    scopes: ['workflows:read'],
    rate: 'write',
  },
});
