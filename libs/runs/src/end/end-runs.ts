import {
  type ArtifactKind,
  type FinishReason,
  type PlatformEventType,
  type RunEvent,
  type TokenDetails,
  sharedBudgetCauses,
} from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { chargeAboveHold, settleCredits } from '@lensforge/credits';
import {
  type OutboxRow,
  inTransaction,
  outboxClaimMs,
  perDatabase,
  recordRunChanges,
  toJsonb,
} from '@lensforge/database';
import { type ClaimedRow, type ClaimedRun, toClaimedRun } from '../claimed-run.js';
import { getRunLimits } from '../run-limits.js';
import { type Fence, toFenceKey, inOrder } from '../fence.js';
import { type NewRunEvent, storedRunEvents } from '../new-run-events.js';
import { endAndPassSlots, endOnly } from './end-runs.sql.js';

export interface NewArtifact {
  id: string;
  kind: ArtifactKind;
  contentText: string | null;
  contentJson: unknown;
  isPrimaryOutput: boolean;
}

export interface RunError {
  errorCode: string;
  errorMessage: string;
}

export type RunOutcome =
  | { status: 'succeeded'; error?: undefined }
  | { status: 'failed' | 'timed_out'; error: RunError }
  | { status: 'canceled'; reason: string; error?: RunError | undefined };

export const toRunOutcome = (failure: RunError | null): RunOutcome =>
  failure ? { status: 'failed', error: failure } : { status: 'succeeded' };

export interface RunEnd {
  runId: string;
  workflowId: string | null;
  /** The run ends only in this attempt and status. */
  attempt: number;
  from: 'queued' | 'running';
  outcome: RunOutcome;
  /** Events to write, in order; the end adds those of artifacts, credits and the outcome. */
  events: readonly NewRunEvent[];
  artifacts: readonly NewArtifact[];
  tokenInput: number | null;
  tokenOutput: number | null;
  tokenDetails?: TokenDetails | null | undefined;
  hold: number;
  /** The credits to charge; above a hold only as far as no limit is exceeded. */
  cost: number;
  /** The model that answered, if it is not the one of the run. */
  answeredBy?: { modelId: string; providerKey: string } | null;
  finishReason?: FinishReason | undefined;
}

/**
 * Ends runs by one statement: status, billing, artifacts, events and outbox rows in one commit. Undefined for a run that is
 * no longer in the expected attempt and status. While runs wait for slots, those of the ended runs pass to them; a run that
 * begins to wait in the same moment may be admitted by the reconciler alone. A call contains each attempt at most once. Runs
 * with a hold need endWithSettlement.
 */
export async function endRuns(ctx: Context, ends: readonly RunEnd[]): Promise<(RunEvent[] | undefined)[]> {
  return (await endAndContinue(ctx, ends, { most: 0, worker: '', leaseMs: 0 })).stored;
}

/** Like `endRuns`, and claims up to `most` of the runs to which slots pass. */
export async function endAndContinue(ctx: Context, ends: readonly RunEnd[], continuing: Continuing): Promise<Written> {
  const paid = ends.find(({ hold }) => hold > 0);
  if (paid) throw new Error(`run ${paid.runId} holds credits: they must be settled with its end`);
  if (ends.length === 0) return { stored: [], continued: [] };
  return write(ctx, ends, runsWaited(ctx) ? { passTo: continuing } : {});
}

/** Ends one run; the settlement of its hold is part of the commit. */
export function endWithSettlement(ctx: Context, end: RunEnd): Promise<RunEvent[] | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const { runId, hold } = end;
    const above = hold > 0 && end.cost > hold ? await chargeAbove(ctx, end) : 0;
    const cost = hold > 0 ? Math.min(end.cost, hold + above) : end.cost;
    const {
      stored: [events],
    } = await write(ctx, [{ ...end, cost }]);
    if (events && hold > 0) await settleCredits(ctx, { runId, cost: cost - above });
    return events;
  });
}

/** Charges the cost above the hold, within the maxCredits of the run. */
async function chargeAbove(ctx: Context, { runId, attempt, from, hold, cost }: RunEnd): Promise<number> {
  const [run] = await ctx.db.query<{ limit: number | null; hasBudget: boolean }[]>(
    `select credit_limit::float8 as limit, cause ->> 'kind' = any ($4) is true as "hasBudget" from runs
      where id = $1 and attempt = $2 and status = $3 for no key update`,
    [runId, attempt, from, sharedBudgetCauses],
  );
  if (!run || run.hasBudget) return 0;
  const amount = Math.min(cost, run.limit ?? cost) - hold;
  return amount > 0 ? chargeAboveHold(ctx, { runId, amount }) : 0;
}

/** Runs that are claimed with the end of others. */
export interface Continuing {
  most: number;
  worker: string;
  leaseMs: number;
}

interface Written {
  stored: (RunEvent[] | undefined)[];
  continued: ClaimedRun[];
}

interface Ended extends Fence {
  accountId: string;
  before: number;
  latency: number | null;
  at: string;
  /** True when a run of the account waited for a slot. */
  hasWaiting: boolean;
  /** True when a waiting run may take a slot or a concurrency key of the ended runs. */
  leavesSlot: boolean;
  /** The claimed runs, in the first row. */
  continued?: ClaimedRow[] | null;
  /** All jobs that the statement wrote, in its first row. */
  jobs: (Omit<OutboxRow, 'availableAt'> & { availableAt: string })[] | null;
}

/** When the end of a run last found a run that waited for a slot, by performance.now(). */
const lastWait = perDatabase(() => ({ at: -Infinity }));

const passSlotsMs = 1000;

/** True when runs waited for slots a moment ago: then the statement that passes slots on pays. */
const runsWaited = (ctx: Context): boolean => performance.now() - lastWait.of(ctx).at < passSlotsMs;

async function write(
  ctx: Context,
  ends: readonly RunEnd[],
  { passTo }: { passTo?: Continuing } = {},
): Promise<Written> {
  const input = ends.map((end) => ({
    runId: end.runId,
    attempt: end.attempt,
    from: end.from,
    status: end.outcome.status,
    events: buildEvents(end),
    artifacts: end.artifacts,
    tokenInput: end.tokenInput,
    tokenOutput: end.tokenOutput,
    ...(end.tokenDetails && { tokenDetails: end.tokenDetails }),
    cost: end.cost,
    billing: end.cost > 0 ? 'charged' : end.hold > 0 ? 'released' : 'none',
    ...end.outcome.error,
    answeredModelId: end.answeredBy?.modelId ?? null,
    answeredProvider: end.answeredBy?.providerKey ?? null,
    ...(end.finishReason && { finishReason: end.finishReason }),
    ...toPlatformEvent(end),
  }));
  const rows = await ctx.db.query<Ended[]>(passTo ? endAndPassSlots : endOnly, [
    toJsonb(inOrder(input)),
    outboxClaimMs(ctx),
    ...(passTo ? [getRunLimits(ctx).atOnce, passTo.most, passTo.worker, passTo.leaseMs] : []),
  ]);
  if (rows.some(({ hasWaiting }) => hasWaiting)) lastWait.of(ctx).at = performance.now();
  const ended = new Map(rows.map((row) => [toFenceKey(row), row]));
  const stored = input.map(({ runId, attempt, events }) => {
    const row = ended.get(toFenceKey({ id: runId, attempt }));
    return (
      row &&
      storedRunEvents(
        events.map((event) => withLatency(event, row.latency)),
        { runId, ...row },
      )
    );
  });
  const jobs = rows.flatMap(({ jobs }) => jobs ?? []);
  const continued = rows.flatMap(({ continued }) => continued ?? []);
  const begun = continued.flatMap((row) => storedRunEvents(row.events, { runId: row.id, ...row }));
  recordRunChanges(ctx, {
    events: [...stored.flatMap((events) => events ?? []), ...begun],
    jobs: jobs.map((job) => ({ ...job, availableAt: new Date(job.availableAt) })),
    toAdmit: rows.filter(({ leavesSlot }) => leavesSlot).map(({ accountId }) => ({ accountId, concurrencyKey: null })),
  });
  return { stored, continued: continued.map(toClaimedRun) };
}

function buildEvents(end: RunEnd): NewRunEvent[] {
  const { artifacts, hold, cost } = end;
  const events: NewRunEvent[] = [...end.events];
  for (const { id, kind, isPrimaryOutput } of artifacts) {
    events.push({ type: 'artifact.created', payload: { artifactId: id, artifactKind: kind, isPrimaryOutput } });
  }
  if (hold > 0 && cost > 0) events.push({ type: 'credits.charged', payload: { amount: cost } });
  if (hold > cost) events.push({ type: 'credits.released', payload: { amount: hold - cost } });
  events.push(toTerminalEvent(end));
  return events;
}

function toTerminalEvent({ outcome, tokenInput, tokenOutput, tokenDetails, cost }: RunEnd): NewRunEvent {
  switch (outcome.status) {
    case 'succeeded':
      // The statement adds the latency.
      return {
        type: 'run.succeeded',
        payload: { latencyMs: 0, tokenInput, tokenOutput, ...(tokenDetails && { tokenDetails }), creditCost: cost },
      };
    case 'failed':
      return { type: 'run.failed', payload: outcome.error };
    case 'timed_out':
      return { type: 'run.timed_out', payload: { reason: outcome.error.errorMessage } };
    case 'canceled':
      return { type: 'run.canceled', payload: { reason: outcome.reason } };
  }
}

const withLatency = (event: NewRunEvent, latencyMs: number | null): NewRunEvent =>
  event.type === 'run.succeeded' && latencyMs !== null
    ? { type: event.type, payload: { ...event.payload, latencyMs } }
    : event;

interface PlatformEvent {
  eventId: string;
  eventType: PlatformEventType;
  /** Without the members that the statement adds: what identifies the run, and its tokens. */
  data: object;
}

/** The event for webhook endpoints; a canceled run has none. */
function toPlatformEvent({ runId, workflowId, outcome, artifacts, cost }: RunEnd): PlatformEvent | undefined {
  const { status, error } = outcome;
  if (status === 'canceled') return undefined;
  const eventId = newId();
  if (error) {
    const { errorCode: code, errorMessage: message } = error;
    return { eventId, eventType: 'run.failed', data: { runId, workflowId, error: { code, message } } };
  }
  const outputs = artifacts.map(({ id, kind, contentText, contentJson, isPrimaryOutput }) => ({
    artifactId: id,
    artifactKind: kind,
    contentText,
    contentJson,
    isPrimaryOutput,
  }));
  return { eventId, eventType: 'run.completed', data: { runId, workflowId, status, outputs, cost } };
}
