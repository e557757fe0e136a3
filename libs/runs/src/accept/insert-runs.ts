import {
  type ConcurrencyStrategy,
  type FundingSource,
  type RunKind,
  type RunStatus,
  type Sampling,
  jobs,
} from '@lensforge/contracts';
import { type Context, DomainError, groupBy } from '@lensforge/core';
import { type OutboxRow, outboxClaimMs, toJsonb } from '@lensforge/database';
import type { WaitsFor } from '../run.entity.js';
import type { ConcurrencySlots } from './batching/concurrency-slots.js';
import { findExistingRuns, insertCounted, insertIfFree, insertUncounted } from './insert-runs.sql.js';
import type { RunLimits } from '../run-limits.js';

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
  /** The label that decided about the version. */
  label?: string | undefined;
  /** The number of the version, when the label had arms. */
  arm?: string | undefined;
  /** The hash of the sticky key of its request. */
  stickyHash?: string | undefined;
  /** True when a running run waits for this one: it needs no slot, or both could wait forever. */
  awaited?: boolean;
  /** True when the run waits for releaseRun before it can be admitted. */
  awaitsApproval?: boolean;
}

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

/** A row that insertCounted returns; the statements for basic runs return three members of it. */
interface Accepted {
  id: string;
  waitsFor: WaitsFor | null;
  /** The number of admitted runs of its account before it. */
  behind: number | null;
  /** The number of further runs of its account that could have been admitted; null if unknown. */
  free: number | null;
  isRefused: boolean;
}

type Written = Pick<Accepted, 'id' | 'behind' | 'free'> & Partial<Accepted>;

/** The limits of an account, and its free slots as far as this process knows. */
export interface Capacity {
  limits: RunLimits;
  slots: ConcurrencySlots;
}

/**
 * Inserts runs with their idempotency keys, first events and outbox rows, and returns the existing run for a used key.
 * The result of a run whose account has reached its backlog limit is an error.
 */
export async function insertRuns(
  ctx: Context,
  runs: readonly NewRun[],
  { limits, slots }: Capacity,
): Promise<(Insertion | DomainError)[]> {
  const { atOnce, backlog, queueMs = null } = limits;
  const { uncounted, mayBeFree, counted, refused } = chooseStatements(runs, slots);
  const answers = new Map<string, Accepted>();
  const insert = async (
    statement: string,
    members: readonly object[],
    ofAccounts: readonly number[],
  ): Promise<void> => {
    if (members.length === 0) return;
    const values = [toJsonb(members), queueMs, outboxClaimMs(ctx), ...ofAccounts];
    for (const row of await ctx.db.query<Written[]>(statement, values))
      answers.set(row.id, { waitsFor: null, isRefused: false, ...row });
  };
  await insert(insertUncounted, uncounted, []);
  await insert(insertIfFree, mayBeFree.map(toBasicRun), [atOnce, backlog]);
  counted.push(...mayBeFree.filter(({ id }) => !answers.has(id)));
  await insert(insertCounted, counted, [atOnce, backlog]);
  for (const [accountId, own] of byAccount([...new Set([...mayBeFree, ...counted])]))
    recordSlots(slots, accountId, own, answers);
  for (const { id } of refused) answers.set(id, { id, waitsFor: null, behind: null, free: null, isRefused: true });
  const others = runs.filter(({ id }) => answers.get(id)?.isRefused !== false);
  const older = new Map((others.length > 0 ? await findExisting(ctx, others) : []).map((row) => [row.newId, row]));
  return runs.map((run) => toInsertion(run, answers.get(run.id), older.get(run.id)) ?? tooManyRuns(limits));
}

/** The statement for each run, by the free slots of its account as far as this process knows. */
function chooseStatements(runs: readonly NewRun[], slots: ConcurrencySlots) {
  const chosen = {
    uncounted: [] as object[],
    mayBeFree: [] as NewRun[],
    counted: [] as NewRun[],
    refused: [] as NewRun[],
  };
  const { uncounted, mayBeFree, counted, refused } = chosen;
  for (const [accountId, own] of byAccount(runs)) {
    const areBasic = own.every(isBasic);
    const before = areBasic ? slots.take(accountId, own.length) : undefined;
    if (before !== undefined)
      uncounted.push(...own.map((run, index) => ({ ...toBasicRun(run), behind: before + index })));
    else if (slots.isFull(accountId)) for (const run of own) (canRefuseUnread(run) ? refused : counted).push(run);
    else (areBasic && !slots.isCrowded(accountId) ? mayBeFree : counted).push(...own);
  }
  return chosen;
}

/** The new run, or the existing one; undefined for a run that was refused. */
function toInsertion(
  { id, fingerprint }: NewRun,
  answer: Accepted | undefined,
  existing: ExistingRun | undefined,
): Insertion | undefined {
  if (answer && !answer.isRefused) {
    const { waitsFor, behind } = answer;
    const priority = behind === 0 ? null : behind;
    return { runId: id, status: 'queued', isNew: true, isWritten: true, fingerprint, waitsFor, priority };
  }
  if (existing) {
    const { id: runId, status, waitsFor, fingerprint } = existing;
    return { runId, status, isNew: runId === id, isWritten: false, fingerprint, waitsFor, priority: null };
  }
  if (!answer) throw new Error(`run ${id} was neither written nor found`);
  return undefined;
}

const byAccount = (runs: readonly NewRun[]): Map<string, NewRun[]> => groupBy(runs, ({ accountId }) => accountId);

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
  if (last) slots.record(accountId, last);
  else if (own.some(({ id }) => answers.get(id)?.waitsFor === 'slot')) slots.record(accountId, { taken: 0, free: 0 });
  if (own.some(({ id }) => answers.get(id)?.isRefused)) slots.recordFull(accountId);
}

/** True for a run that a full backlog refuses without a query: it has no idempotency key, and no run waits for it. */
const canRefuseUnread = ({ key, awaited = false }: NewRun): boolean => key === null && !awaited;

/**
 * The treatment of each member by the statements for basic runs: they write it; they imply a value, which isBasic checks or
 * another member requires (an idempotency key its target and fingerprint); or a basic run has no value.
 */
const basicTreatment: Readonly<Record<keyof NewRun, 'written' | 'implied' | 'absent'>> = {
  id: 'written',
  requestId: 'written',
  accountId: 'written',
  kind: 'implied',
  targetId: 'implied',
  lensId: 'written',
  lensVersionId: 'written',
  workflowVersionId: 'absent',
  parentRunId: 'absent',
  params: 'written',
  modelId: 'written',
  outputSchema: 'absent',
  sampling: 'absent',
  fundingSource: 'written',
  hold: 'written',
  timeoutMs: 'written',
  queueMs: 'written',
  traceparent: 'written',
  key: 'absent',
  fingerprint: 'implied',
  outboxId: 'written',
  tags: 'absent',
  metadata: 'absent',
  batchId: 'absent',
  priority: 'implied',
  startAt: 'absent',
  delayMs: 'absent',
  concurrencyKey: 'absent',
  concurrencyStrategy: 'absent',
  creditLimit: 'absent',
  payerAccountId: 'absent',
  byokKeyId: 'absent',
  providerKey: 'absent',
  cause: 'absent',
  budgetCredits: 'absent',
  label: 'written',
  arm: 'written',
  stickyHash: 'written',
  awaited: 'absent',
  awaitsApproval: 'absent',
};
const members = Object.keys(basicTreatment) as (keyof NewRun)[];
const writtenMembers = members.filter((member) => basicTreatment[member] === 'written');
const absentMembers = members.filter((member) => basicTreatment[member] === 'absent');

const toBasicRun = (run: NewRun): Partial<NewRun> =>
  Object.fromEntries(writtenMembers.map((member) => [member, run[member]]));

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

/** True for a run that these statements can write: it needs no more than a slot. */
const isBasic = (run: NewRun): boolean =>
  run.kind === 'lens' &&
  run.fundingSource !== 'user_byok_local' &&
  !run.priority &&
  absentMembers.every((member) => isEmpty(run[member]));

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
  await ctx.db.query<ExistingRun[]>(findExistingRuns, [
    JSON.stringify(
      runs.map(({ id, accountId, targetId, key, fingerprint }) => ({ id, accountId, targetId, key, fingerprint })),
    ),
  ]);

/** The outbox row of an admitted run, for the process that publishes its job after the commit. */
export const toOutboxRow = (run: NewRun, { priority }: Pick<Insertion, 'priority'>, now: Date): OutboxRow => ({
  id: run.outboxId,
  job: jobs.executeRun.name,
  jobId: `${run.id}-g0`,
  payload: { runId: run.id, generation: 0 },
  requestId: run.requestId,
  traceparent: run.traceparent,
  availableAt: now,
  priority,
});
