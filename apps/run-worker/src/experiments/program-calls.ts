import { setTimeout as pause } from 'node:timers/promises';
import type { ByokOpener } from '@lensforge/byok';
import { isRecord } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { Egress, EgressFailed } from '@lensforge/egress';
import { type Judgement, type ScorerCall, openScorerSecret, withoutSecretsInUrl } from '@lensforge/evaluation';
import { signatureHeaders } from '@lensforge/webhooks';
import { throughRecording } from '../engine/recorded-calls.js';
import { RunFailure } from '../engine/run-failure.js';

export interface ProgramCallsParts {
  egress: Egress;
  /** Undefined in a worker without LENSFORGE_BYOK_MASTER_KEY. */
  opener: ByokOpener | undefined;
  /** The pauses before repeats; a call is made once more than there are pauses. */
  pausesMs?: readonly number[];
}

const timeoutMs = 10_000;
const usualPausesMs = [1000, 4000];

/** The answer of a program as a recording keeps it. */
interface ProgramAnswer {
  status: number;
  body: string;
}

/** Calls programs of users that score outputs, signed as outgoing webhooks are. */
export class ProgramCalls {
  constructor(private readonly parts: ProgramCallsParts) {}

  /** The score of a program, or why there is none. */
  async call(ctx: Context, call: ScorerCall): Promise<Judgement> {
    const { accountId, scorerId, url, request, calls } = call;
    const order = {
      kind: 'http',
      place: `scorer:${scorerId}`,
      request: { method: 'POST', url: withoutSecretsInUrl(url), body: request },
    } as const;
    const live = { make: () => this.send(ctx, call), isKept: ({ status }: ProgramAnswer) => status === 200 };
    try {
      const owner = { ...ctx, actor: { ...ctx.actor, accountId } };
      const { value } = await throughRecording(owner, calls && { calls }, order, live);
      return readScore(value);
    } catch (reason) {
      if (reason instanceof RunFailure || isEgressFailed(reason)) return noScore(reason.message);
      throw reason;
    }
  }

  private async send(ctx: Context, { id, accountId, scorerId, url, request }: ScorerCall): Promise<ProgramAnswer> {
    const { egress, opener, pausesMs = usualPausesMs } = this.parts;
    if (!opener) throw new RunFailure('KEY_NOT_OPENED', 'no worker can open the secret of this scorer');
    const secret = await openScorerSecret(ctx, opener, { id: scorerId, accountId });
    if (secret === undefined) throw new RunFailure('KEY_REVOKED', 'the scorer was deleted');
    const body = Buffer.from(JSON.stringify({ id, ...request }));
    for (let repeats = 0; ; repeats += 1) {
      const headers = {
        'content-type': 'application/json',
        ...signatureHeaders({ eventId: id, body, secrets: [secret], at: ctx.now() }),
      };
      const answer = await egress
        .post({ url, headers, body, signal: AbortSignal.timeout(timeoutMs) })
        .then(({ status, head }): ProgramAnswer => ({ status, body: head.toString() }))
        .catch((reason: unknown) => (isEgressFailed(reason) ? reason : Promise.reject(toError(reason))));
      const pauseMs = pausesMs[repeats];
      if (pauseMs === undefined || !mayPass(answer)) {
        if (answer instanceof Error) throw answer;
        return answer;
      }
      await pause(pauseMs);
    }
  }
}

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const finalFaults: ReadonlySet<string> = new Set(['url_not_allowed', 'address_not_allowed']);

const mayPass = (answer: ProgramAnswer | EgressFailed): boolean =>
  answer instanceof Error ? !finalFaults.has(answer.fault) : answer.status >= 500 || answer.status === 429;

/** Compares the name, because the library is loaded with the first call. */
const isEgressFailed = (reason: unknown): reason is EgressFailed =>
  reason instanceof Error && reason.name === 'EgressFailed';

const longestReason = 2000;

function readScore({ status, body }: ProgramAnswer): Judgement {
  if (status !== 200) return noScore(`it has answered with the status ${status}`);
  const answer = readObject(body);
  const { score, pass, reason } = answer;
  if (typeof score !== 'number' || !(score >= 0 && score <= 1)) {
    return noScore('its answer has no member score from 0 to 1');
  }
  if (pass !== undefined && typeof pass !== 'boolean') return noScore('the member pass of its answer is not a boolean');
  const reasoning = typeof reason === 'string' ? reason.slice(0, longestReason) : '';
  return { outcome: JSON.stringify({ score, ...(pass !== undefined && { pass }) }), reasoning };
}

function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const noScore = (reason: string): Judgement => ({
  outcome: null,
  reasoning: `The scorer could not be asked: ${reason}`,
});
