import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { inTransaction, preparedStatement, withDbRetry, toJsonb } from '@lensforge/database';
import type { Claim } from './claim-deliveries.js';
import { disableEndpoint } from './disable-endpoint.js';
import type { AttemptResult, Verdict } from './judge-attempt.js';
import { judgeAttempt } from './judge-attempt.js';
import { BREAKER_MOST_MS, FAILING_DAYS } from './leases.js';

export interface Recorded {
  /** `superseded`: the lease had ended and the outcome belongs to somebody else's attempt. */
  outcome: 'delivered' | 'retrying' | 'exhausted' | 'superseded';
  disabled?: 'gone' | 'failing';
}

export interface RecordTerms {
  retryMs: readonly number[];
  /** After so many failures in a row deliveries to an endpoint are held back. */
  breakerFailures: number;
  /** For how long at first; each time it did not help, for twice as long. */
  breakerMs: number;
  random?: () => number;
}

export interface Attempted {
  claim: Pick<Claim, 'deliveryId' | 'endpointId' | 'attempt' | 'tries'>;
  result: AttemptResult;
}

interface Judged extends Attempted {
  verdict: Verdict;
}

/**
 * Writes attempts down, each of another delivery, and decides what becomes of them: done, tried again at a time, or
 * given up; and what becomes of endpoints that fail.
 */
export async function recordAttempts(
  ctx: Context,
  attempts: readonly Attempted[],
  terms: RecordTerms,
): Promise<Recorded[]> {
  const { retryMs, random = Math.random } = terms;
  const judged = attempts.map((each): Judged => {
    const verdict = judgeAttempt(each.result, each.claim.tries, { retryMs, now: ctx.now(), random });
    return { ...each, verdict };
  });
  if (judged.every(({ verdict }) => verdict.state === 'delivered')) {
    const moved = await withDbRetry(() => write(ctx, judged, terms));
    return judged.map(({ claim }) => ({ outcome: moved.has(claim.deliveryId) ? 'delivered' : 'superseded' }));
  }
  return inTransaction(ctx, async (ctx) => {
    const moved = await write(ctx, judged, terms);
    const recorded: Recorded[] = [];
    for (const { claim, verdict } of judged) {
      const found = moved.get(claim.deliveryId);
      if (!found) {
        recorded.push({ outcome: 'superseded' });
        continue;
      }
      const gone = verdict.state === 'exhausted' && verdict.endpointIsGone;
      const reason = gone ? 'gone' : found.hopeless ? 'failing' : undefined;
      const disabled = reason && (await disableEndpoint(ctx, claim.endpointId, reason)) ? reason : undefined;
      const outcome = verdict.state === 'pending' ? 'retrying' : verdict.state;
      recorded.push({ outcome, ...(disabled && { disabled }) });
    }
    return recorded;
  });
}

interface Moved {
  id: string;
  hopeless: boolean;
}

async function write(
  ctx: Context,
  judged: readonly Judged[],
  { breakerFailures, breakerMs }: RecordTerms,
): Promise<ReadonlyMap<string, Moved>> {
  const input = judged.map(({ claim, result, verdict }) => ({
    id: claim.deliveryId,
    attempt: claim.attempt,
    attemptId: newId(),
    state: verdict.state,
    waitMs: verdict.state === 'pending' ? verdict.waitMs : null,
    status: result.status,
    error: result.error,
    detail: result.detail,
    answer: result.answer.toString('base64'),
    durationMs: Math.round(result.durationMs),
  }));
  const values = [toJsonb(input), breakerFailures, breakerMs, BREAKER_MOST_MS, FAILING_DAYS];
  const rows = await ctx.db.query<Moved[]>(statement, values);
  return new Map(rows.map((row) => [row.id, row]));
}

const statement = preparedStatement(`
with input as materialized (
  select x.*, 'sending' as "from" from jsonb_to_recordset($1::jsonb) as x(
    "id" uuid, "attempt" int, "attemptId" uuid, "state" text, "waitMs" float8, "status" int, "error" text, "detail" text,
    "answer" text, "durationMs" int)
), present as materialized (
  select id from webhook_deliveries where id = any (array(select "id" from input)) order by endpoint_id, id for no key update
), logged as (
  insert into webhook_attempts (id, delivery_id, number, status, error, detail, answer, duration_ms)
  select i."attemptId", p.id, i."attempt", i."status", i."error", i."detail", decode(i."answer", 'base64'), i."durationMs"
    from input i join present p on p.id = i."id"
  on conflict (delivery_id, number) do nothing
), moved as (
  update webhook_deliveries d
     set state = i."state", slot = null, tries = tries + 1, last_status = i."status", last_error = i."error",
         next_at = now() + coalesce(i."waitMs", 0) * interval '1 ms', lease_until = null,
         ended_at = case when i."waitMs" is null then now() end
    from input i join present p on p.id = i."id"
   where d.id = any (array(select "id" from input)) and d.id = i."id" and d.attempt = i."attempt" and d.state = i."from"
  returning d.id, d.endpoint_id, d.state
), told as materialized (
  select endpoint_id, bool_or(state = 'delivered') as well, count(*)::int as failed from moved group by endpoint_id
), well as (
  update webhook_endpoints e set failing_since = null, failures = 0, openings = 0, open_until = null
    from told t where t.well and e.id = t.endpoint_id and (e.failures > 0 or e.failing_since is not null)
), ill as (
  update webhook_endpoints e
     set failing_since = coalesce(e.failing_since, now()), failures = e.failures + t.failed,
         openings = e.openings + case when o.opens then 1 else 0 end,
         open_until = case when o.opens
                           then now() + least($3::float8 * 2 ^ least(e.openings, 20), $4::float8) * interval '1 ms'
                           else e.open_until end
    from told t join webhook_endpoints old on old.id = t.endpoint_id cross join lateral (
         select old.failures + t.failed >= $2 and (old.open_until is null or old.open_until <= now()) as opens) o
   where not t.well and e.id = t.endpoint_id
  returning e.id, e.failing_since < now() - $5 * interval '1 day' as hopeless
)
select m.id, coalesce(ill.hopeless, false) as hopeless from moved m left join ill on ill.id = m.endpoint_id`);
