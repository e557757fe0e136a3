import type { FundingSource, RunStatus, Sampling } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import type { CreditLimit } from '@lensforge/credits';
import type { OutboxRow } from '@lensforge/database';
import { planOnce, toJsonb } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import type { RunKind } from './run.entity.js';

/** A run that is ready to be written: everything was checked. */
export interface NewRun {
  id: string;
  requestId: string;
  accountId: string;
  kind: RunKind;
  targetId: string;
  lensId: string | null;
  lensVersionId: string | null;
  params: Record<string, unknown>;
  modelId: string;
  outputSchema?: Record<string, unknown> | null;
  sampling?: Sampling | null;
  fundingSource: FundingSource | null;
  hold: number;
  /** Whose credits are held, where that is not the account of the run. */
  payerAccountId?: string | null;
  byokKeyId?: string | null;
  /** Limits that the hold counts against; they are not part of the run. */
  limits?: readonly CreditLimit[];
  timeoutMs: number;
  traceparent: string | null;
  key: string | null;
  /** SHA-256 of the request, in hex: tells a repeat from another request under the same key. */
  fingerprint: string;
  outboxId: string;
}

const insert = planOnce(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x(
    "id" uuid, "requestId" uuid, "accountId" uuid, "kind" text, "targetId" uuid, "lensId" uuid, "lensVersionId" uuid,
    "params" jsonb, "modelId" uuid, "fundingSource" text, "hold" bigint, "timeoutMs" float8, "traceparent" text,
    "key" text, "fingerprint" text, "outboxId" uuid, "outputSchema" jsonb, "sampling" jsonb,
    "payerAccountId" uuid, "byokKeyId" uuid)
), keyed as (
  insert into run_keys (account_id, target_id, key, fingerprint, run_id, expires_at)
  select "accountId", "targetId", "key", decode("fingerprint", 'hex'), "id", now() + interval '24 hours'
    from input where "key" is not null order by 1, 2, 3
  on conflict (account_id, target_id, key) do update
     set fingerprint = excluded.fingerprint, run_id = excluded.run_id, expires_at = excluded.expires_at
   where run_keys.expires_at <= now()
  returning run_id
), accepted as (
  insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, workflow_id, status, params, model_id,
                    funding_source, last_sequence, deadline_at, credit_hold, billing_status, traceparent,
                    output_schema, sampling, payer_account_id, byok_key_id, admitted_at)
  select "id", "requestId", "accountId", "kind", "lensId", "lensVersionId",
         case when "kind" = 'workflow' then "targetId" end, 'queued', "params", "modelId", "fundingSource",
         case when "hold" > 0 then 2 else 1 end, now() + "timeoutMs" * interval '1 ms', "hold",
         case when "hold" > 0 then 'reserved' else 'none' end, "traceparent",
         nullif("outputSchema", 'null'), nullif("sampling", 'null'), "payerAccountId", "byokKeyId",
         case when "fundingSource" is distinct from 'user_byok_local' then now() end
    from input where "key" is null or "id" in (select run_id from keyed)
  on conflict (id) do nothing
  returning id, kind, credit_hold
), told as (
  insert into run_events (run_id, sequence, type, payload)
  select id, 1, 'run.queued', jsonb_build_object('kind', kind, 'generation', 0) from accepted
  union all
  select id, 2, 'credits.reserved', jsonb_build_object('amount', credit_hold) from accepted where credit_hold > 0
), posted as (
  insert into outbox (id, job, job_id, payload, claimed_until, request_id, traceparent)
  select i."outboxId", '${jobs.executeRun.name}', a.id || '-g0', jsonb_build_object('runId', a.id, 'generation', 0),
         now() + interval '3 s', i."requestId", i."traceparent"
    from accepted a join input i on i."id" = a.id
   where i."fundingSource" is distinct from 'user_byok_local'
)
select id from accepted`);

const winners = `
select i."id" as asked, r.id, r.status, coalesce(encode(k.fingerprint, 'hex'), i."fingerprint") as fingerprint
  from jsonb_to_recordset($1::jsonb) as i("id" uuid, "accountId" uuid, "targetId" uuid, "key" text, "fingerprint" text)
  left join run_keys k on k.account_id = i."accountId" and k.target_id = i."targetId" and k.key = i."key"
  join runs r on r.id = coalesce(k.run_id, i."id")`;

export interface Insertion {
  runId: string;
  status: RunStatus;
  /** False when the key had been used before and this is the run it stands for. */
  isNew: boolean;
  /** False when an earlier try whose answer was lost had written it. */
  isWritten: boolean;
  fingerprint: string;
}

/** Writes many runs in one statement: run, key, first event and outbox row of each, or the run that its key stands for. */
export async function insertRuns(db: EntityManager, runs: readonly NewRun[]): Promise<Insertion[]> {
  const accepted = await db.query<{ id: string }[]>(insert, [toJsonb(runs)]);
  const fresh = new Set(accepted.map(({ id }) => id));
  const others = runs.filter(({ id }) => !fresh.has(id));
  const older = new Map((others.length > 0 ? await findWinners(db, others) : []).map((row) => [row.asked, row]));
  return runs.map(({ id, fingerprint }) => {
    if (fresh.has(id)) return { runId: id, status: 'queued', isNew: true, isWritten: true, fingerprint };
    const winner = older.get(id);
    if (!winner) throw new Error(`run ${id} was neither written nor found`);
    const { id: runId, status } = winner;
    return { runId, status, isNew: runId === id, isWritten: false, fingerprint: winner.fingerprint };
  });
}

interface Winner {
  asked: string;
  id: string;
  status: RunStatus;
  fingerprint: string;
}

const findWinners = async (db: EntityManager, runs: readonly NewRun[]): Promise<Winner[]> =>
  await db.query<Winner[]>(winners, [
    JSON.stringify(
      runs.map(({ id, accountId, targetId, key, fingerprint }) => ({ id, accountId, targetId, key, fingerprint })),
    ),
  ]);

/** The job of an accepted run as its outbox row says it, for the process that hands it over right after the commit. */
export const outboxRowOf = (run: NewRun, now: Date): OutboxRow => ({
  id: run.outboxId,
  job: jobs.executeRun.name,
  jobId: `${run.id}-g0`,
  payload: { runId: run.id, generation: 0 },
  requestId: run.requestId,
  traceparent: run.traceparent,
  availableAt: now,
});
