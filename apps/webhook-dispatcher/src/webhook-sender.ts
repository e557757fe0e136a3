import type { Clock } from '@lensforge/core';
import { currentTraceparent, inSpan, version } from '@lensforge/edge';
import { type Egress, EgressFailed, type EgressResponse } from '@lensforge/egress';
import { type KeyRing, SealBroken } from '@lensforge/vault';
import { type AttemptResult, type Claim, openSecret, signatureHeaders, signedBody } from '@lensforge/webhooks';
import { SpanKind } from '@opentelemetry/api';

type Outcome = Omit<AttemptResult, 'durationMs'>;

/** Signs and sends one attempt; a failed request is a result too. */
export class WebhookSender {
  constructor(
    private readonly egress: Egress,
    private readonly ring: KeyRing,
    private readonly now: Clock,
  ) {}

  async send(claim: Claim, signal: AbortSignal): Promise<AttemptResult> {
    const startedAt = performance.now();
    const { eventId, type, endpointId, attempt, traceparent } = claim;
    const attributes = {
      'lensforge.event_id': eventId,
      'lensforge.event': type,
      'lensforge.endpoint_id': endpointId,
      'lensforge.attempt': attempt,
    };
    const options = { kind: SpanKind.CLIENT, attributes, parent: traceparent ?? undefined };
    const outcome = await inSpan('webhook POST', options, () => this.attempt(claim, signal)).catch(failed);
    return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
  }

  private async attempt(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const endpoint = { id: claim.endpointId, accountId: claim.accountId };
    const secret = openSecret(this.ring, endpoint, claim.secret);
    const previous = claim.previousSecret ? [openSecret(this.ring, endpoint, claim.previousSecret)] : [];
    const body = signedBody(claim.body, secret);
    const traceparent = currentTraceparent() ?? claim.traceparent;
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Lensforge-Webhooks/${version}`,
      ...signatureHeaders({ eventId: claim.eventId, body, secrets: [secret, ...previous], at: this.now() }),
      ...(traceparent && { traceparent }),
    };
    return answered(await this.egress.post({ url: claim.url, headers, body, signal, reuse: claim.endpointId }));
  }
}

function answered({ status, headers, head, bytesRead, complete }: EgressResponse): Outcome {
  const [error, detail] = faultIn({ status, headers, bytesRead, complete });
  return { status, error, detail, retryAfter: headers['retry-after'] ?? null, answer: head };
}

const noFault = [null, null] as const;

function faultIn({
  status,
  headers,
  bytesRead,
  complete,
}: Omit<EgressResponse, 'head'>): readonly [string, string] | typeof noFault {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (status >= 300 && status < 400) return ['redirected', 'The answer is a redirect; redirects are not followed.'];
  if (!complete) return ['answer_too_large', `The answer is longer than the ${bytesRead} bytes that were read of it.`];
  if (encoding !== 'identity' && bytesRead > 0)
    return [
      'answer_compressed',
      `The answer is compressed (${encoding.slice(0, 40)}), which the request did not allow.`,
    ];
  return noFault;
}

function failed(error: unknown): Outcome {
  const none = { status: null, retryAfter: null, answer: Buffer.alloc(0) };
  if (error instanceof EgressFailed) return { ...none, error: error.fault, detail: error.message.slice(0, 1000) };
  if (error instanceof SealBroken) return { ...none, error: 'secret_unreadable', detail: error.message };
  throw error;
}
