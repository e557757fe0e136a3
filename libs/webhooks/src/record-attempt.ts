import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { enqueue, inTransaction } from '@lensforge/database';
import type { Claim } from './claim-delivery.js';
import { disableEndpoint } from './disable-endpoint.js';
import type { AttemptResult, Verdict } from './judge-attempt.js';
import { judgeAttempt } from './judge-attempt.js';
import { FAILING_DAYS, JOB_LEASE_MS } from './leases.js';

export interface Recorded {
  /** `superseded`: the lease had ended and the outcome belongs to somebody else's attempt. */
  outcome: 'delivered' | 'retrying' | 'exhausted' | 'superseded';
  disabled?: 'gone' | 'failing';
}

export interface RecordTerms {
  retryMs: readonly number[];
  random?: () => number;
}

/** Writes an attempt down and decides what becomes of its delivery: done, tried again at a time, or given up. */
export function recordAttempt(
  ctx: Context,
  claim: Claim,
  result: AttemptResult,
  { retryMs, random = Math.random }: RecordTerms,
): Promise<Recorded> {
  const verdict = judgeAttempt(result, claim.tries, { retryMs, now: ctx.now(), random });
  return inTransaction(ctx, async (ctx) => {
    await logAttempt(ctx, claim, result);
    const moved = await move(ctx, claim, result, verdict);
    if (!moved) return { outcome: 'superseded' };
    if (verdict.state === 'delivered') {
      await ctx.db.query(
        'update webhook_endpoints set failing_since = null where id = $1 and failing_since is not null',
        [claim.endpointId],
      );
      return { outcome: 'delivered' };
    }
    if (verdict.state === 'pending') {
      const { generation, nextAt } = moved;
      const jobId = `${claim.deliveryId}-g${generation}`;
      const payload = { deliveryId: claim.deliveryId, generation };
      await enqueue(ctx, jobs.deliverWebhook, payload, { jobId, availableAt: nextAt });
    }
    const disabled = await countFailure(ctx, claim.endpointId, verdict);
    return { outcome: verdict.state === 'pending' ? 'retrying' : 'exhausted', ...(disabled && { disabled }) };
  });
}

async function logAttempt(ctx: Context, { deliveryId, attempt }: Claim, result: AttemptResult): Promise<void> {
  const { status, error, detail, answer, durationMs } = result;
  await ctx.db.query(
    `insert into webhook_attempts (id, delivery_id, number, status, error, detail, answer, duration_ms)
     select $1, id, $3, $4, $5, $6, $7, $8 from webhook_deliveries where id = $2
     on conflict (delivery_id, number) do nothing`,
    [newId(), deliveryId, attempt, status, error, detail, answer, Math.round(durationMs)],
  );
}

async function move(
  ctx: Context,
  { deliveryId, attempt }: Claim,
  { status, error }: AttemptResult,
  verdict: Verdict,
): Promise<{ generation: number; nextAt: Date } | undefined> {
  const waitMs = verdict.state === 'pending' ? verdict.waitMs : null;
  const [rows] = await ctx.db.query<[{ generation: number; nextAt: Date }[], number]>(
    `update webhook_deliveries
        set state = $3, slot = null, tries = tries + 1, last_status = $4, last_error = $5,
            generation = generation + case when $6::float8 is null then 0 else 1 end,
            next_at = now() + coalesce($6, 0) * interval '1 ms',
            lease_until = now() + ($6 + $7) * interval '1 ms',
            ended_at = case when $6 is null then now() end
      where id = $1 and attempt = $2 and state = 'sending'
  returning generation, next_at as "nextAt"`,
    [deliveryId, attempt, verdict.state, status, error, waitMs, JOB_LEASE_MS],
  );
  return rows[0];
}

async function countFailure(
  ctx: Context,
  endpointId: string,
  verdict: Verdict,
): Promise<'gone' | 'failing' | undefined> {
  if (verdict.state === 'exhausted' && verdict.endpointIsGone)
    return (await disableEndpoint(ctx, endpointId, 'gone')) ? 'gone' : undefined;
  await ctx.db.query('update webhook_endpoints set failing_since = now() where id = $1 and failing_since is null', [
    endpointId,
  ]);
  const [row] = await ctx.db.query<{ hopeless: boolean }[]>(
    `select failing_since < now() - $2 * interval '1 day' as hopeless from webhook_endpoints where id = $1`,
    [endpointId, FAILING_DAYS],
  );
  return row?.hopeless && (await disableEndpoint(ctx, endpointId, 'failing')) ? 'failing' : undefined;
}
