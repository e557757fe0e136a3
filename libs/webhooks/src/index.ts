import 'reflect-metadata';
import { IncomingCall } from './incoming/incoming-call.entity.js';
import { IncomingWebhook } from './incoming/incoming-webhook.entity.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEvent } from './webhook-event.entity.js';
import { WebhookReplay } from './webhook-replay.entity.js';

export * from './cancel-waiting.js';
export * from './claim-deliveries.js';
export * from './create-endpoint.js';
export * from './delivery-states.js';
export * from './disable-endpoint.js';
export * from './due-backlog.js';
export * from './fan-out.js';
export * from './judge-attempt.js';
export * from './reconcile-deliveries.js';
export * from './record-attempts.js';
export * from './release-delivery.js';
export * from './renew-leases.js';
export * from './secrets.js';
export * from './sign.js';
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
