import type { ConcurrencyStrategy, FundingSource, RunStatus, Sampling } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import { DomainError } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import { planOnce, toJsonb } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import type { RunKind, WaitsFor } from './run.entity.js';
import type { RunLimits } from './run-limits.js';
import { runLimitsOf } from './run-limits.js';

/** A run that is ready to be written: everything was checked. */
export interface NewRun {
  id: string;
  requestId: string;
  accountId: string;
  kind: RunKind;
  targetId: string;
  lensId: string | null;
  lensVersionId: string | null;
  workflowVersionId?: string | null;
  parentRunId?: string | null;
  params: Record<string, unknown>;
  /** null: each node of a workflow has its own. */
  modelId: string | null;
  outputSchema?: Record<string, unknown> | null;
  sampling?: Sampling | null;
  fundingSource: FundingSource | null;
  hold: number;
  /** How long it may execute. */
  timeoutMs: number;
  /** How long it may wait for its start once it is due; what the platform says when absent. */
  queueMs?: number | null;
  traceparent: string | null;
  key: string | null;
  /** SHA-256 of the request, in hex: tells a repeat from another request under the same key. */
  fingerprint: string;
  outboxId: string;
  tags?: readonly string[];
  metadata?: Record<string, unknown> | null;
  batchId?: string | null;
  priority?: number;
  startAt?: string | null;
  delayMs?: number | null;
  concurrencyKey?: string | null;
  concurrencyStrategy?: ConcurrencyStrategy | null;
  creditLimit?: number | null;
  payerAccountId?: string | null;
  byokKeyId?: string | null;
  providerKey?: string | null;
  cause?: object | null;
  budgetCredits?: number | null;
  /** A running run waits for it: it takes no place among the runs of its account, or both would wait for ever. */
  awaited?: boolean;
}

/*
 * A run is admitted here while its account has less than half of its places taken and nobody in line. The rest are given
 * by admitRuns, which is exact: this statement may count while others do, and all of them together must not exceed it.
 */
const insert = planOnce(`
with input as materialized (
  select x.*, row_number() over (partition by "accountId" order by coalesce("priority", 0) desc, "id") as nth,
         greatest("startAt", now() + "delayMs" * interval '1 ms', now()) as due
    from jsonb_to_recordset($1::jsonb) as x(
    "id" uuid, "requestId" uuid, "accountId" uuid, "kind" text, "targetId" uuid, "lensId" uuid, "lensVersionId" uuid,
    "workflowVersionId" uuid, "parentRunId" uuid, "params" jsonb, "modelId" uuid, "outputSchema" jsonb, "sampling" jsonb,
    "fundingSource" text, "hold" bigint, "timeoutMs" float8, "queueMs" float8, "traceparent" text, "key" text,
    "fingerprint" text, "outboxId" uuid, "tags" text[], "metadata" jsonb, "batchId" uuid, "priority" smallint,
    "startAt" timestamptz, "delayMs" float8, "concurrencyKey" text, "concurrencyStrategy" text, "creditLimit" bigint,
    "payerAccountId" uuid, "byokKeyId" uuid, "providerKey" text, "cause" jsonb, "budgetCredits" bigint, "awaited" boolean)
), load as materialized (
  select a.id,
         (select count(*) from (select 1 from runs r where r.account_id = a.id and r.status in ('queued', 'running')
             and r.admitted_at is not null limit $2) as found) as in_flight,
         (select count(*) from (select 1 from runs r where r.account_id = a.id and r.status = 'queued'
             and r.admitted_at is null limit $3) as found) as waiting,
         (select true from runs r where r.account_id = a.id and r.status = 'queued' and r.admitted_at is null
             and r.waits_for = 'place' limit 1) as has_line
    from (select distinct "accountId" as id from input) a
), crowded as (
  select i."id" as id from input i join load l on l.id = i."accountId"
   where l.in_flight + l.waiting + i.nth > $3 and i."awaited" is not true
), keyed as (
  insert into run_keys (account_id, target_id, key, fingerprint, run_id, expires_at)
  select "accountId", "targetId", "key", decode("fingerprint", 'hex'), "id", now() + interval '24 hours'
    from input where "key" is not null and "id" not in (select id from crowded) order by 1, 2, 3
  on conflict (account_id, target_id, key) do update
     set fingerprint = excluded.fingerprint, run_id = excluded.run_id, expires_at = excluded.expires_at
   where run_keys.expires_at <= now()
  returning run_id
), fresh as materialized (
  select * from input
   where ("key" is null or "id" in (select run_id from keyed)) and "id" not in (select id from crowded)
), turned as (
  insert into run_turns (account_id, key, run_id)
  select distinct on ("accountId", "concurrencyKey") "accountId", "concurrencyKey", "id" from fresh f
   where "concurrencyKey" is not null and due <= now() and not exists (select 1 from runs r where r.id = f."id")
   order by "accountId", "concurrencyKey", nth
  on conflict do nothing
  returning run_id
), held as (
  select f.*, case when due > now() then 'time'
                   when "concurrencyKey" is not null and "id" not in (select run_id from turned) then 'key'
                   when "fundingSource" = 'user_byok_local' then 'runner' end as held_by from fresh f
), ranked as (
  select h.*, l.in_flight, l.has_line,
         row_number() over (partition by "accountId" order by (held_by is not null), nth) as rank
    from held h join load l on l.id = h."accountId"
), placed as materialized (
  select r.*, case when held_by is not null then held_by
                   when "awaited" or (has_line is null and in_flight + rank <= $2 / 2) then null
                   else 'place' end as waits_for,
         nullif(in_flight + rank - 1, 0)::int as behind from ranked r
), accepted as (
  insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, workflow_id, workflow_version_id,
                    parent_run_id, status, params, model_id, output_schema, sampling, funding_source, last_sequence,
                    deadline_at, execution_ms, credit_hold, billing_status, traceparent, tags, metadata, batch_id,
                    priority, not_before, place_at, admitted_at, waits_for, concurrency_key, concurrency_strategy,
                    credit_limit, payer_account_id, byok_key_id, provider_key, cause, budget_credits)
  select "id", "requestId", "accountId", "kind", "lensId", "lensVersionId",
         case when "kind" = 'workflow' then "targetId" end, "workflowVersionId", "parentRunId", 'queued', "params",
         "modelId", "outputSchema", "sampling", "fundingSource", case when "hold" > 0 then 2 else 1 end,
         due + coalesce("queueMs", $4, "timeoutMs") * interval '1 ms', "timeoutMs"::int, "hold",
         case when "hold" > 0 then 'reserved' else 'none' end, "traceparent", coalesce("tags", '{}'), "metadata",
         "batchId", coalesce("priority", 0), case when due > now() then due end,
         due - coalesce("priority", 0) * interval '1 minute', case when waits_for is null then now() end, waits_for,
         "concurrencyKey", "concurrencyStrategy", "creditLimit", "payerAccountId", "byokKeyId", "providerKey", "cause",
         "budgetCredits"
    from placed
  on conflict (id) do nothing
  returning id, kind, credit_hold
), told as (
  insert into run_events (run_id, sequence, type, payload)
  select id, 1, 'run.queued', jsonb_build_object('kind', kind, 'generation', 0) from accepted
  union all
  select id, 2, 'credits.reserved', jsonb_build_object('amount', credit_hold) from accepted where credit_hold > 0
), posted as (
  insert into outbox (id, job, job_id, payload, claimed_until, request_id, traceparent, priority)
  select p."outboxId", '${jobs.executeRun.name}', a.id || '-g0', jsonb_build_object('runId', a.id, 'generation', 0),
         now() + interval '3 s', p."requestId", p."traceparent", p.behind
    from accepted a join placed p on p."id" = a.id where p.waits_for is null
)
select a.id, p.waits_for as "waitsFor", p.behind as priority, false as crowded
  from accepted a join placed p on p."id" = a.id
union all
select id, null, null, true from crowded`);

const winners = `
select i."id" as asked, r.id, r.status, r.waits_for as "waitsFor", coalesce(encode(k.fingerprint, 'hex'), i."fingerprint") as fingerprint
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
  /** What it waits for before it has a job. */
  waitsFor: WaitsFor | null;
  /** Of its job: the more runs of its account are on their way, the larger. */
  priority: number | null;
}

interface Accepted {
  id: string;
  waitsFor: WaitsFor | null;
  priority: number | null;
  crowded: boolean;
}

/**
 * Writes many runs in one statement: run, key, first event and outbox row of each, or the run that its key stands for.
 * A fault takes the place of a run whose account has too many that have not ended.
 */
export async function insertRuns(db: EntityManager, runs: readonly NewRun[]): Promise<(Insertion | DomainError)[]> {
  const limits = runLimitsOf(db);
  const { atOnce, backlog, queueMs = null } = limits;
  const rows = await db.query<Accepted[]>(insert, [toJsonb(runs), atOnce, backlog, queueMs]);
  const answers = new Map(rows.map((row) => [row.id, row]));
  const others = runs.filter(({ id }) => answers.get(id)?.crowded !== false);
  const older = new Map((others.length > 0 ? await findWinners(db, others) : []).map((row) => [row.asked, row]));
  return runs.map(({ id, fingerprint }) => {
    const answer = answers.get(id);
    if (answer && !answer.crowded) {
      const { waitsFor, priority } = answer;
      return { runId: id, status: 'queued', isNew: true, isWritten: true, fingerprint, waitsFor, priority };
    }
    const winner = older.get(id);
    if (winner) {
      const { id: runId, status, waitsFor } = winner;
      const { fingerprint } = winner;
      return { runId, status, isNew: runId === id, isWritten: false, fingerprint, waitsFor, priority: null };
    }
    if (answer) return tooManyRuns(limits);
    throw new Error(`run ${id} was neither written nor found`);
  });
}

const tooManyRuns = ({ backlog }: RunLimits): DomainError =>
  new DomainError(
    'RATE_LIMITED',
    `This account has ${backlog} runs that have not ended, and may have no more; wait until some have`,
    { reason: 'backlog', limit: backlog, retryAfter: 10 },
  );

interface Winner {
  asked: string;
  id: string;
  status: RunStatus;
  waitsFor: WaitsFor | null;
  fingerprint: string;
}

const findWinners = async (db: EntityManager, runs: readonly NewRun[]): Promise<Winner[]> =>
  await db.query<Winner[]>(winners, [
    JSON.stringify(
      runs.map(({ id, accountId, targetId, key, fingerprint }) => ({ id, accountId, targetId, key, fingerprint })),
    ),
  ]);

/** The job of an admitted run as its outbox row says it, for the process that hands it over right after the commit. */
export const outboxRowOf = (run: NewRun, { priority }: Pick<Insertion, 'priority'>, now: Date): OutboxRow => ({
  id: run.outboxId,
  job: jobs.executeRun.name,
  jobId: `${run.id}-g0`,
  payload: { runId: run.id, generation: 0 },
  requestId: run.requestId,
  traceparent: run.traceparent,
  availableAt: now,
  priority,
});
