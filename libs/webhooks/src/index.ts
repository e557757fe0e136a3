export { readableEndpoint } from './outgoing/endpoint-access.js';
export { cancelPendingDeliveries } from './outgoing/cancel-pending-deliveries.js';
export { advanceReplays } from './outgoing/advance-replays.js';
export { claimDeliveries } from './outgoing/claim-deliveries.js';
export type { Claim, ClaimTerms } from './outgoing/claim-deliveries.js';
export { claimNotices, releaseNotice, completeNotice } from './outgoing/claim-notices.js';
export type { DisabledNotice } from './outgoing/claim-notices.js';
export { MAX_ENDPOINTS, createEndpoint } from './outgoing/create-endpoint.js';
export { deliveryStates } from './outgoing/delivery-states.js';
export { disableEndpoint } from './outgoing/disable-endpoint.js';
export { disableOwnEndpoint } from './outgoing/disable-own-endpoint.js';
export { readDeliveryBacklog } from './outgoing/delivery-backlog.js';
export type { DeliveryBacklog } from './outgoing/delivery-backlog.js';
export { enableEndpoint } from './outgoing/enable-endpoint.js';
export { fanOutEvents } from './outgoing/fan-out.js';
export type { PublishedEvent } from './outgoing/fan-out.js';
export { MAX_INCOMING_WEBHOOKS, createIncomingWebhook } from './incoming/create-incoming-webhook.js';
export { deleteOldIncomingCalls } from './incoming/delete-old-incoming-calls.js';
export { readableIncomingWebhook } from './incoming/incoming-access.js';
export { listIncomingCalls } from './incoming/list-incoming-calls.js';
export { listIncomingWebhooks } from './incoming/list-incoming-webhooks.js';
export { loggedBody } from './incoming/logged-body.js';
export { IncomingWebhookAuthenticator } from './incoming/incoming-webhook-authenticator.js';
export type { IncomingProof, AuthenticatedWebhook } from './incoming/incoming-webhook-authenticator.js';
export { recordIncomingCalls } from './incoming/record-incoming-calls.js';
export type { ReceivedCall } from './incoming/record-incoming-calls.js';
export { removeIncomingWebhook } from './incoming/remove-incoming-webhook.js';
export { takeOverIncomingWebhook } from './incoming/take-over-incoming-webhook.js';
export { rotateIncomingWebhook } from './incoming/rotate-incoming-webhook.js';
export { updateIncomingWebhook } from './incoming/update-incoming-webhook.js';
export { classifyAttempt, parseRetryAfter } from './outgoing/classify-attempt.js';
export type { AttemptResult } from './outgoing/classify-attempt.js';
export { listDeliveries } from './outgoing/list-deliveries.js';
export { listEndpoints } from './outgoing/list-endpoints.js';
export { listEvents } from './outgoing/list-events.js';
export { listenForEvents } from './outgoing/listen-for-events.js';
export { listRunDeliveries } from './outgoing/list-run-deliveries.js';
export { listReplays, readReplay } from './outgoing/list-replays.js';
export { readDelivery } from './outgoing/read-delivery.js';
export { reconcileDeliveries } from './outgoing/reconcile-deliveries.js';
export { recordAttempts } from './outgoing/record-attempts.js';
export type { FinishedAttempt, RecordedAttempt } from './outgoing/record-attempts.js';
export { redeliver } from './outgoing/redeliver.js';
export { releaseDeliveries } from './outgoing/release-deliveries.js';
export { removeEndpoint } from './outgoing/remove-endpoint.js';
export { renewLeases } from './outgoing/renew-leases.js';
export { replayEvents } from './outgoing/replay-events.js';
export { takeOverEndpoint } from './outgoing/take-over-endpoint.js';
export { rotateSecret } from './outgoing/rotate-secret.js';
export { openSecret } from './outgoing/endpoint-secrets.js';
export {
  newSecret,
  serviceSignature,
  signatureHeaders,
  signedBody,
  standardSignature,
  unsignedBody,
} from './outgoing/sign.js';
export { sweepWebhooks } from './outgoing/sweep-webhooks.js';
export { testEndpoint } from './outgoing/test-endpoint.js';
export { updateEndpoint } from './outgoing/update-endpoint.js';
export { WebhookAttempt } from './outgoing/webhook-attempt.entity.js';
export { WebhookDelivery } from './outgoing/webhook-delivery.entity.js';
export { WebhookEndpoint } from './outgoing/webhook-endpoint.entity.js';
export { WebhookEvent } from './outgoing/webhook-event.entity.js';
export { WebhookListener } from './outgoing/webhook-listener.entity.js';
export { WebhookReplay } from './outgoing/webhook-replay.entity.js';
export { MAX_BODY_BYTES, limitEventBody } from './outgoing/limit-event-body.js';

import 'reflect-metadata';
