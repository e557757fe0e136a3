import 'reflect-metadata';
import { IncomingCall } from './incoming/incoming-call.entity.js';
import { IncomingWebhook } from './incoming/incoming-webhook.entity.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEvent } from './webhook-event.entity.js';
import { WebhookReplay } from './webhook-replay.entity.js';

export { readableEndpoint } from './access.js';
export * from './cancel-waiting.js';
export * from './carry-replays.js';
export * from './claim-deliveries.js';
export * from './claim-notices.js';
export * from './create-endpoint.js';
export * from './delivery-states.js';
export * from './disable-endpoint.js';
export * from './disable-own-endpoint.js';
export * from './due-backlog.js';
export * from './enable-endpoint.js';
export * from './fan-out.js';
export * from './incoming/index.js';
export * from './judge-attempt.js';
export * from './list-deliveries.js';
export * from './list-endpoints.js';
export * from './list-events.js';
export * from './list-replays.js';
export * from './read-delivery.js';
export * from './reconcile-deliveries.js';
export * from './record-attempts.js';
export * from './redeliver.js';
export * from './release-delivery.js';
export * from './remove-endpoint.js';
export * from './renew-leases.js';
export * from './replay-events.js';
export * from './rotate-secret.js';
export * from './secrets.js';
export * from './sign.js';
export * from './sweep-webhooks.js';
export * from './test-endpoint.js';
export * from './update-endpoint.js';
export { LARGEST_BODY, withinLimit } from './within-limit.js';
export type { DeliveryCause } from './webhook-delivery.entity.js';
export type { DisabledReason } from './webhook-endpoint.entity.js';
export type { EventType } from './webhook-event.entity.js';
export type { ReplayedKind, ReplayState } from './webhook-replay.entity.js';
export { WebhookAttempt, WebhookDelivery, WebhookEndpoint, WebhookEvent, WebhookReplay };

export { IncomingCall, IncomingWebhook };

export const webhookEntities = [
  WebhookEndpoint,
  WebhookEvent,
  WebhookDelivery,
  WebhookAttempt,
  WebhookReplay,
  IncomingWebhook,
  IncomingCall,
] as const;
