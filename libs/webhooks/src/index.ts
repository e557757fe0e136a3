export { readableEndpoint } from './access.js';
export { cancelWaiting } from './cancel-waiting.js';
export { carryReplays } from './carry-replays.js';
export { claimDeliveries } from './claim-deliveries.js';
export type { Claim, ClaimTerms } from './claim-deliveries.js';
export { claimNotices, giveBackNotice, settleNotice } from './claim-notices.js';
export type { DisabledNotice } from './claim-notices.js';
export { MOST_ENDPOINTS, createEndpoint } from './create-endpoint.js';
export { deliveryStates } from './delivery-states.js';
export { disableEndpoint } from './disable-endpoint.js';
export { disableOwnEndpoint } from './disable-own-endpoint.js';
export { dueBacklog } from './due-backlog.js';
export type { DueBacklog } from './due-backlog.js';
export { enableEndpoint } from './enable-endpoint.js';
export { fanOut } from './fan-out.js';
export type { Announced } from './fan-out.js';
export { MOST_INCOMING_WEBHOOKS, createIncomingWebhook } from './incoming/create-incoming-webhook.js';
export { forgetIncomingCalls } from './incoming/forget-incoming-calls.js';
export { readableIncomingWebhook } from './incoming/incoming-access.js';
export { listIncomingCalls } from './incoming/list-incoming-calls.js';
export { listIncomingWebhooks } from './incoming/list-incoming-webhooks.js';
export { loggedBody } from './incoming/logged-body.js';
export { IncomingDoor } from './incoming/open-incoming-webhook.js';
export type { IncomingProof, OpenedWebhook } from './incoming/open-incoming-webhook.js';
export { recordIncomingCalls } from './incoming/record-incoming-calls.js';
export type { ReceivedCall } from './incoming/record-incoming-calls.js';
export { removeIncomingWebhook } from './incoming/remove-incoming-webhook.js';
export { rotateIncomingWebhook } from './incoming/rotate-incoming-webhook.js';
export { updateIncomingWebhook } from './incoming/update-incoming-webhook.js';
export { judgeAttempt, readRetryAfter } from './judge-attempt.js';
export type { AttemptResult } from './judge-attempt.js';
export { listDeliveries } from './list-deliveries.js';
export { listEndpoints } from './list-endpoints.js';
export { listEvents } from './list-events.js';
export { listReplays, readReplay } from './list-replays.js';
export { readDelivery } from './read-delivery.js';
export { reconcileDeliveries } from './reconcile-deliveries.js';
export { recordAttempts } from './record-attempts.js';
export type { Attempted, Recorded } from './record-attempts.js';
export { redeliver } from './redeliver.js';
export { releaseDelivery } from './release-delivery.js';
export { removeEndpoint } from './remove-endpoint.js';
export { renewLeases } from './renew-leases.js';
export { replayEvents } from './replay-events.js';
export { rotateSecret } from './rotate-secret.js';
export { openSecret } from './secrets.js';
export { newSecret, serviceSignature, signatureHeaders, signedBody, standardSignature, unsignedBody } from './sign.js';
export { sweepWebhooks } from './sweep-webhooks.js';
export { testEndpoint } from './test-endpoint.js';
export { updateEndpoint } from './update-endpoint.js';
export { WebhookAttempt } from './webhook-attempt.entity.js';
export { WebhookDelivery } from './webhook-delivery.entity.js';
export { WebhookEndpoint } from './webhook-endpoint.entity.js';
export { WebhookEvent } from './webhook-event.entity.js';
export { WebhookReplay } from './webhook-replay.entity.js';
export { LARGEST_BODY, withinLimit } from './within-limit.js';

import 'reflect-metadata';
import { IncomingCall } from './incoming/incoming-call.entity.js';
import { IncomingWebhook } from './incoming/incoming-webhook.entity.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEvent } from './webhook-event.entity.js';
import { WebhookReplay } from './webhook-replay.entity.js';
export const webhookEntities = [
  WebhookEndpoint,
  WebhookEvent,
  WebhookDelivery,
  WebhookAttempt,
  WebhookReplay,
  IncomingWebhook,
  IncomingCall,
] as const;
