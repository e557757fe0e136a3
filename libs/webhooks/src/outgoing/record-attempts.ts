import { type Context, newId } from '@lensforge/core';
import { inTransaction, preparedStatement, withDbRetry, toJsonb } from '@lensforge/database';
import type { Claim } from './claim-deliveries.js';
import { disableEndpoint } from './disable-endpoint.js';
import { type AttemptOutcome, type AttemptResult, classifyAttempt } from './classify-attempt.js';
import { MAX_BREAKER_MS, FAILING_DAYS } from './delivery-limits.js';

export interface RecordedAttempt {
  /** `superseded`: the lease had expired and the delivery belongs to another attempt. */
  outcome: 'delivered' | 'retrying' | 'exhausted' | 'superseded';
  disabled?: 'gone' | 'failing';
}

export interface RecordTerms {
  retryMs: readonly number[];
  /** The number of consecutive failures that opens the circuit breaker of an endpoint. */
  breakerFailures: number;
  /** How long the circuit breaker stays open at first; the time doubles with each further opening. */
  breakerMs: number;
  random?: () => number;
}

export interface FinishedAttempt {
  claim: Pick<Claim, 'deliveryId' | 'endpointId' | 'attempt' | 'tries'>;
  result: AttemptResult;
}

interface ClassifiedAttempt extends FinishedAttempt {
  verdict: AttemptOutcome;
}

/**
 * Records attempts of different deliveries and updates each delivery: delivered, retried later or exhausted. It also opens
 * the circuit breaker of failing endpoints, and disables endpoints.
 */
export async function recordAttempts(
  ctx: Context,
  attempts: readonly FinishedAttempt[],
  terms: RecordTerms,
): Promise<RecordedAttempt[]> {
  const { retryMs, random = Math.random } = terms;
  const classified = attempts.map((each): ClassifiedAttempt => {
    const verdict = classifyAttempt(each.result, each.claim.tries, { retryMs, now: ctx.now(), random });
    return { ...each, verdict };
  });
  if (classified.every(({ verdict }) => verdict.state === 'delivered')) {
    const moved = await withDbRetry(() => write(ctx, classified, terms));
    return classified.map(({ claim }) => ({ outcome: moved.has(claim.deliveryId) ? 'delivered' : 'superseded' }));
  }
  return inTransaction(ctx, async (ctx) => {
    const moved = await write(ctx, classified, terms);
    const recorded: RecordedAttempt[] = [];
    for (const { claim, verdict } of classified) {
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
  classified: readonly ClassifiedAttempt[],
  { breakerFailures, breakerMs }: RecordTerms,
): Promise<ReadonlyMap<string, Moved>> {
  const input = classified.map(({ claim, result, verdict }) => ({
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
  const values = [toJsonb(input), breakerFailures, breakerMs, MAX_BREAKER_MS, FAILING_DAYS];
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
), endpoint_results as materialized (
  select endpoint_id, bool_or(state = 'delivered') as succeeded, count(*)::int as failed from moved group by endpoint_id
), recovered as (
  update webhook_endpoints e set failing_since = null, failures = 0, breaker_openings = 0, breaker_open_until = null
    from endpoint_results t where t.succeeded and e.id = t.endpoint_id and (e.failures > 0 or e.failing_since is not null)
), failing as (
  update webhook_endpoints e
     set failing_since = coalesce(e.failing_since, now()), failures = e.failures + t.failed,
         breaker_openings = e.breaker_openings + case when o.opens then 1 else 0 end,
         breaker_open_until = case when o.opens
                           then now() + least($3::float8 * 2 ^ least(e.breaker_openings, 20), $4::float8) * interval '1 ms'
                           else e.breaker_open_until end
    from endpoint_results t join webhook_endpoints old on old.id = t.endpoint_id cross join lateral (
         select old.failures + t.failed >= $2 and (old.breaker_open_until is null or old.breaker_open_until <= now()) as opens) o
   where not t.succeeded and e.id = t.endpoint_id
  returning e.id, e.failing_since < now() - $5 * interval '1 day' as hopeless
)
select m.id, coalesce(failing.hopeless, false) as hopeless from moved m left join failing on failing.id = m.endpoint_id`);
