import 'reflect-metadata';
import { IncomingCall } from './incoming/incoming-call.entity.js';
import { IncomingWebhook } from './incoming/incoming-webhook.entity.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEvent } from './webhook-event.entity.js';

export * from './claim-delivery.js';
export * from './create-endpoint.js';
export * from './delivery-states.js';
export * from './disable-endpoint.js';
export * from './due-backlog.js';
export * from './fan-out.js';
export * from './judge-attempt.js';
export * from './reconcile-deliveries.js';
export * from './record-attempt.js';
export * from './release-delivery.js';
export * from './renew-leases.js';
export * from './secrets.js';
export * from './sign.js';
export type { DisabledReason } from './webhook-endpoint.entity.js';
export { WebhookAttempt, WebhookDelivery, WebhookEndpoint, WebhookEvent };

export { IncomingCall, IncomingWebhook };

export const webhookEntities = [
  WebhookEndpoint,
  WebhookEvent,
  WebhookDelivery,
  WebhookAttempt,
  IncomingWebhook,
  IncomingCall,
] as const;
