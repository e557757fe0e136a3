import type { ConcurrencyStrategy, FundingSource, RunStatus, Sampling } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import { preparedStatement, toJsonb } from '@lensforge/database';
import type { ConcurrencySlots } from '../admit/concurrency-slots.js';
import { slotsFor } from '../admit/concurrency-slots.js';
import type { RunKind, WaitsFor } from '../run.entity.js';
import type { RunLimits } from './run-limits.js';
import { runLimitsOf } from './run-limits.js';

/** A validated run, ready to be inserted. */
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
  /** null: each node of a workflow has its own model. */
  modelId: string | null;
  outputSchema?: Record<string, unknown> | null;
  sampling?: Sampling | null;
  fundingSource: FundingSource | null;
  hold: number;
  /** The time limit of the execution. */
  timeoutMs: number;
  /** The time limit for its start once it is due; by default the platform's. */
  queueMs?: number | null;
  traceparent: string | null;
  key: string | null;
  /** SHA-256 of the request in hex, to detect another request under the same key; empty without a key. */
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
  /** True when a running run waits for this one: it needs no slot, or both could wait forever. */
  awaited?: boolean;
}

/** Columns that every run sets. */
const basicMembers = {
  id: 'uuid',
  requestId: 'uuid',
  accountId: 'uuid',
  kind: 'text',
  lensId: 'uuid',
  lensVersionId: 'uuid',
  params: 'jsonb',
  modelId: 'uuid',
  fundingSource: 'text',
  hold: 'bigint',
  timeoutMs: 'float8',
  queueMs: 'float8',
  traceparent: 'text',
  outboxId: 'uuid',
} satisfies Partial<Record<keyof NewRun, string>>;

const otherMembers = {
  targetId: 'uuid',
  workflowVersionId: 'uuid',
  parentRunId: 'uuid',
  outputSchema: 'jsonb',
  sampling: 'jsonb',
  key: 'text',
  fingerprint: 'text',
  tags: 'text[]',
  metadata: 'jsonb',
  batchId: 'uuid',
  priority: 'smallint',
  startAt: 'timestamptz',
  delayMs: 'float8',
  concurrencyKey: 'text',
  concurrencyStrategy: 'text',
  creditLimit: 'bigint',
  payerAccountId: 'uuid',
  byokKeyId: 'uuid',
  providerKey: 'text',
  cause: 'jsonb',
  budgetCredits: 'bigint',
  awaited: 'boolean',
} satisfies Partial<Record<keyof NewRun, string>>;

const recordOf = (members: Readonly<Record<string, string>>): string =>
  Object.entries(members)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ');

/** Columns of a run and their SQL expressions. */
const basicColumns = {
  id: '"id"',
  request_id: '"requestId"',
  account_id: '"accountId"',
  kind: '"kind"',
  lens_id: '"lensId"',
  lens_version_id: '"lensVersionId"',
  status: `'queued'`,
  params: '"params"',
  model_id: '"modelId"',
  funding_source: '"fundingSource"',
  last_sequence: 'case when "hold" > 0 then 2 else 1 end',
  deadline_at: `due + coalesce("queueMs", $2, "timeoutMs") * interval '1 ms'`,
  execution_ms: '"timeoutMs"::int',
  credit_hold: '"hold"',
  billing_status: `case when "hold" > 0 then 'reserved' else 'none' end`,
  traceparent: '"traceparent"',
};

const otherColumns = {
  workflow_id: `case when "kind" = 'workflow' then "targetId" end`,
  workflow_version_id: '"workflowVersionId"',
  parent_run_id: '"parentRunId"',
  output_schema: '"outputSchema"',
  sampling: '"sampling"',
  tags: `coalesce("tags", '{}')`,
  metadata: '"metadata"',
  batch_id: '"batchId"',
  priority: 'coalesce("priority", 0)',
  not_before: 'case when due > now() then due end',
  order_at: `due - coalesce("priority", 0) * interval '1 minute'`,
  admitted_at: 'case when waits_for is null then now() end',
  waits_for: 'waits_for',
  concurrency_key: '"concurrencyKey"',
  concurrency_strategy: '"concurrencyStrategy"',
  credit_limit: '"creditLimit"',
  payer_account_id: '"payerAccountId"',
  byok_key_id: '"byokKeyId"',
  provider_key: '"providerKey"',
  cause: '"cause"',
  budget_credits: '"budgetCredits"',
};

/** Inserts run, first events and job of each row of `assigned`. */
const writing = (columns: Readonly<Record<string, string>>): string => `
accepted as (
  insert into runs (${Object.keys(columns).join(', ')})
  select ${Object.values(columns).join(', ')} from assigned
  on conflict (id) do nothing
  returning id, kind, credit_hold
), new_events as (
  insert into run_events (run_id, sequence, type, payload)
  select id, 1, 'run.queued', jsonb_build_object('kind', kind, 'generation', 0) from accepted
  union all
  select id, 2, 'credits.reserved', jsonb_build_object('amount', credit_hold) from accepted where credit_hold > 0
), new_jobs as (
  insert into outbox (id, job, job_id, payload, claimed_until, request_id, traceparent, priority)
  select p."outboxId", '${jobs.executeRun.name}', a.id || '-g0', jsonb_build_object('runId', a.id, 'generation', 0),
         now() + interval '3 s', p."requestId", p."traceparent", nullif(p.behind, 0)
    from accepted a join assigned p on p."id" = a.id where p.waits_for is null
)`;

/** Inserts basic runs of accounts that are known to have free slots, without counting their runs. */
const insertUncounted = preparedStatement(`
with assigned as materialized (
  select x.*, now() as due, null::text as waits_for
    from jsonb_to_recordset($1::jsonb) as x(${recordOf(basicMembers)}, behind int)
), ${writing(basicColumns)}
select id, null as "waitsFor", false as "isRefused" from accepted`);

/*
 * Admits a run at once while less than half of its account's slots are taken and no run waits for a slot. Concurrent
 * statements may count the same free slots; together they must not exceed the limit. admitRuns counts exactly and
 * assigns the remaining slots.
 */
const insertCounted = preparedStatement(`
with input as materialized (
  select x.*, row_number() over (partition by "accountId" order by coalesce("priority", 0) desc, "id") as nth,
         greatest("startAt", now() + "delayMs" * interval '1 ms', now()) as due
    from jsonb_to_recordset($1::jsonb) as x(${recordOf({ ...basicMembers, ...otherMembers })})
), load as materialized (
  select a.id,
         (select count(*) from (select 1 from runs r where r.account_id = a.id and r.status in ('queued', 'running')
             and r.admitted_at is not null limit $3) as found) as in_flight,
         (select count(*) from (select 1 from runs r where r.account_id = a.id and r.status = 'queued'
             and r.admitted_at is null and r.waits_for in ('time', 'key', 'slot', 'runner') limit $4) as found) as waiting,
         (select true from runs r where r.account_id = a.id and r.status = 'queued' and r.admitted_at is null
             and r.waits_for = 'slot' limit 1) as has_waiting
    from (select distinct "accountId" as id from input) a
), refused as (
  select i."id" as id from input i join load l on l.id = i."accountId"
   where l.in_flight + l.waiting + i.nth > $4 and i."awaited" is not true
), keyed as (
  insert into idempotency_keys (account_id, target_id, key, fingerprint, run_id, expires_at)
  select "accountId", "targetId", "key", decode("fingerprint", 'hex'), "id", now() + interval '24 hours'
    from input where "key" is not null and "id" not in (select id from refused) order by 1, 2, 3
  on conflict (account_id, target_id, key) do update
     set fingerprint = excluded.fingerprint, run_id = excluded.run_id, expires_at = excluded.expires_at
   where idempotency_keys.expires_at <= now()
  returning run_id
), fresh as materialized (
  select * from input
   where ("key" is null or "id" in (select run_id from keyed)) and "id" not in (select id from refused)
), claimed as (
  insert into concurrency_claims (account_id, key, run_id)
  select distinct on ("accountId", "concurrencyKey") "accountId", "concurrencyKey", "id" from fresh f
   where "concurrencyKey" is not null and due <= now() and (select true from runs r where r.id = f."id" limit 1) is null
   order by "accountId", "concurrencyKey", nth
  on conflict do nothing
  returning run_id
), held as (
  select f.*, case when due > now() then 'time'
                   when "concurrencyKey" is not null and "id" not in (select run_id from claimed) then 'key'
                   when "fundingSource" = 'user_byok_local' then 'runner' end as held_by from fresh f
), ranked as (
  select h.*, l.in_flight, l.waiting, l.has_waiting,
         row_number() over (partition by "accountId" order by (held_by is not null), nth) as rank
    from held h join load l on l.id = h."accountId"
), assigned as materialized (
  select r.*, case when held_by is not null then held_by
                   when "awaited" or (has_waiting is null and in_flight + rank <= $3 / 2) then null
                   else 'slot' end as waits_for,
         (in_flight + rank - 1)::int as behind,
         case when has_waiting is null and held_by is null and "awaited" is not true
              then least($3 / 2 - in_flight - rank, $4 - in_flight - waiting - nth)::int end as free from ranked r
), ${writing({ ...basicColumns, ...otherColumns })}
select a.id, p.waits_for as "waitsFor", p.behind, p.free, false as "isRefused"
  from accepted a join assigned p on p."id" = a.id
union all
select id, null, null, null, true from refused`);

const existingRuns = `
select i."id" as "newId", r.id, r.status, r.waits_for as "waitsFor", coalesce(encode(k.fingerprint, 'hex'), i."fingerprint") as fingerprint
  from jsonb_to_recordset($1::jsonb) as i("id" uuid, "accountId" uuid, "targetId" uuid, "key" text, "fingerprint" text)
  left join idempotency_keys k on k.account_id = i."accountId" and k.target_id = i."targetId" and k.key = i."key"
  join runs r on r.id = coalesce(k.run_id, i."id")`;

export interface Insertion {
  runId: string;
  status: RunStatus;
  /** False when this is an earlier run under the same idempotency key. */
  isNew: boolean;
  /** False when an earlier attempt, whose response was lost, wrote the run. */
  isWritten: boolean;
  fingerprint: string;
  /** The reason why the run has no job yet. */
  waitsFor: WaitsFor | null;
  /** Priority of its job: the number of admitted runs of its account before it. */
  priority: number | null;
}

interface Accepted {
  id: string;
  waitsFor: WaitsFor | null;
  /** The number of admitted runs of its account before it. */
  behind: number | null;
  /** The number of further runs of its account that could have been admitted; null if unknown. */
  free: number | null;
  isRefused: boolean;
}

/**
 * Inserts runs with their idempotency keys, first events and outbox rows, and returns the existing run for a used key.
 * The result of a run whose account has reached its backlog limit is an error.
 */
export async function insertRuns(ctx: Context, runs: readonly NewRun[]): Promise<(Insertion | DomainError)[]> {
  const limits = runLimitsOf(ctx);
  const results = await write(ctx, runs, limits);
  const others = runs.filter(({ id }) => results.get(id)?.isRefused !== false);
  const older = new Map((others.length > 0 ? await findExisting(ctx, others) : []).map((row) => [row.newId, row]));
  return runs.map(({ id, fingerprint }) => {
    const answer = results.get(id);
    if (answer && !answer.isRefused) {
      const { waitsFor, behind } = answer;
      const priority = behind === 0 ? null : behind;
      return { runId: id, status: 'queued', isNew: true, isWritten: true, fingerprint, waitsFor, priority };
    }
    const existing = older.get(id);
    if (existing) {
      const { id: runId, status, waitsFor } = existing;
      const { fingerprint } = existing;
      return { runId, status, isNew: runId === id, isWritten: false, fingerprint, waitsFor, priority: null };
    }
    if (answer) return tooManyRuns(limits);
    throw new Error(`run ${id} was neither written nor found`);
  });
}

async function write(ctx: Context, runs: readonly NewRun[], limits: RunLimits): Promise<ReadonlyMap<string, Accepted>> {
  const { atOnce, backlog, queueMs = null } = limits;
  const slots = slotsFor(limits);
  const uncounted: object[] = [];
  const counted: NewRun[] = [];
  const refused: NewRun[] = [];
  const behindOf = new Map<string, number>();
  for (const [accountId, own] of byAccount(runs)) {
    const before = own.every(isBasic) ? slots.take(accountId, own.length) : undefined;
    if (before === undefined) {
      const isFull = slots.isFull(accountId);
      for (const run of own) (isFull && canRefuseUnread(run) ? refused : counted).push(run);
    } else
      own.forEach((run, index) => {
        behindOf.set(run.id, before + index);
        uncounted.push({ ...basicOf(run), behind: before + index });
      });
  }
  const [written, others] = await Promise.all([
    uncounted.length > 0 ? ctx.db.query<{ id: string }[]>(insertUncounted, [toJsonb(uncounted), queueMs]) : [],
    counted.length > 0 ? ctx.db.query<Accepted[]>(insertCounted, [toJsonb(counted), queueMs, atOnce, backlog]) : [],
  ]);
  const answers = new Map(others.map((row) => [row.id, row]));
  for (const [accountId, own] of byAccount(counted)) recordSlots(slots, accountId, own, answers);
  for (const { id } of refused) answers.set(id, { id, waitsFor: null, behind: null, free: null, isRefused: true });
  for (const { id } of written) {
    answers.set(id, { id, waitsFor: null, behind: behindOf.get(id) ?? 0, free: null, isRefused: false });
  }
  return answers;
}

function byAccount(runs: readonly NewRun[]): Map<string, NewRun[]> {
  const accounts = new Map<string, NewRun[]>();
  for (const run of runs) {
    const own = accounts.get(run.accountId);
    if (own) own.push(run);
    else accounts.set(run.accountId, [run]);
  }
  return accounts;
}

function recordSlots(
  slots: ConcurrencySlots,
  accountId: string,
  own: readonly NewRun[],
  answers: ReadonlyMap<string, Accepted>,
): void {
  let last: { taken: number; free: number } | undefined;
  for (const { id } of own) {
    const { free = null, behind = null } = answers.get(id) ?? {};
    if (free === null || behind === null || (last && last.free <= free)) continue;
    last = { taken: behind + 1, free };
  }
  slots.record(accountId, last ?? { taken: 0, free: 0 });
  if (own.some(({ id }) => answers.get(id)?.isRefused)) slots.recordFull(accountId);
}

/** True for a run that a full backlog refuses without a query: it has no idempotency key, and no run waits for it. */
const canRefuseUnread = ({ key, awaited = false }: NewRun): boolean => key === null && !awaited;

type BasicRun = Pick<NewRun, keyof typeof basicMembers>;

const basicOf = (run: NewRun): BasicRun => ({
  id: run.id,
  requestId: run.requestId,
  accountId: run.accountId,
  kind: run.kind,
  lensId: run.lensId,
  lensVersionId: run.lensVersionId,
  params: run.params,
  modelId: run.modelId,
  fundingSource: run.fundingSource,
  hold: run.hold,
  timeoutMs: run.timeoutMs,
  queueMs: run.queueMs ?? null,
  traceparent: run.traceparent,
  outboxId: run.outboxId,
});

/** Members that do not matter without a key, or equal the default of the column. */
const ignored = new Set(['targetId', 'fingerprint', 'priority']);
const optionalMembers = Object.keys(otherMembers).filter((name) => !ignored.has(name)) as (keyof NewRun)[];

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

/** True for a run that insertUncounted can write: it needs no more than a slot. */
const isBasic = (run: NewRun): boolean =>
  run.kind === 'lens' &&
  run.fundingSource !== 'user_byok_local' &&
  !run.priority &&
  optionalMembers.every((name) => isEmpty(run[name]));

const tooManyRuns = ({ backlog }: RunLimits): DomainError =>
  new DomainError(
    'RATE_LIMITED',
    `This account has ${backlog} runs that have not ended, which is the limit; wait until some have ended`,
    { reason: 'backlog', limit: backlog, retryAfter: 10 },
  );

interface ExistingRun {
  newId: string;
  id: string;
  status: RunStatus;
  waitsFor: WaitsFor | null;
  fingerprint: string;
}

const findExisting = async (ctx: Context, runs: readonly NewRun[]): Promise<ExistingRun[]> =>
  await ctx.db.query<ExistingRun[]>(existingRuns, [
    JSON.stringify(
      runs.map(({ id, accountId, targetId, key, fingerprint }) => ({ id, accountId, targetId, key, fingerprint })),
    ),
  ]);

/** The outbox row of an admitted run, for the process that publishes its job after the commit. */
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
