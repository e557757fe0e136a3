import type { RunEvent, RunKind, RunStatus } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import {
  type AdmissionTarget,
  type LogPosition,
  type OutboxRow,
  type RunChanges,
  publishRunChanges,
} from '@lensforge/database';
import { aLens } from '@lensforge/lenses/testing';
import { type LensRunOrder, acceptLensRun } from './accept/accept-lens-run.js';
import { type PromptRunOrder, acceptPromptRun } from './accept/accept-prompt-run.js';
import type { AcceptedRun } from './accept/accept-once.js';
import type { Finish } from './end/finish-runs.js';
import type { ClaimedRun } from './claimed-run.js';
import type { RunMove } from './nodes/move-nodes.js';
import type { DataSource } from 'typeorm';
import { StoredRunEvent } from './run-event.entity.js';

export async function aRun(ctx: Context, overrides: Partial<LensRunOrder> = {}): Promise<AcceptedRun> {
  const lensId = overrides.lensId ?? (await aLens(ctx)).id;
  return acceptLensRun(ctx, { lensId, params: { Name: 'Ada' }, timeoutMs: 600_000, ...overrides });
}

export const aPromptRun = (ctx: Context, overrides: Partial<PromptRunOrder> = {}): Promise<AcceptedRun> =>
  acceptPromptRun(ctx, { prompt: 'Say hello', timeoutMs: 600_000, cause: { kind: 'test' }, ...overrides });

export interface StoredRunTraits {
  /** By default workflow with a workflowId, and lens without one. */
  kind?: RunKind;
  status?: RunStatus;
  lensId?: string;
  workflowId?: string;
  tags?: readonly string[];
  batchId?: string | null;
  /** True for a run that waits for a slot. */
  waits?: boolean;
}

/** Inserts a run with its first event directly, for tests that do not execute it. */
export async function aStoredRun(ctx: Context, overrides: StoredRunTraits = {}): Promise<string> {
  const { status = 'queued', lensId = null, workflowId = null, tags = [], batchId = null, waits = false } = overrides;
  const { kind = workflowId === null ? 'lens' : 'workflow' } = overrides;
  const id = newId();
  await ctx.db.query(
    `insert into runs (id, request_id, account_id, kind, lens_id, workflow_id, status, params, model_id, deadline_at,
                       lease_until, completed_at, credit_cost, error_code, last_sequence, tags, batch_id, admitted_at, waits_for)
     select $1, $1, $2, $9::text, coalesce($3, case when $9 = 'lens' then uuidv7() end), $4,
            $5, '{}', m.id, now() + interval '1 hour', case $5 when 'running' then now() + interval '1 hour' end,
            case when $5 in ('succeeded', 'failed', 'canceled', 'timed_out') then now() end, 0,
            case $5 when 'failed' then 'PROVIDER_FAILED' end, 1, $6, $7, case when not $8 then now() end, case when $8 then 'slot' end
       from models m where m.is_default`,
    [id, ctx.actor.accountId, lensId, workflowId, status, tags, batchId, waits, kind],
  );
  await ctx.db.insert(StoredRunEvent, {
    runId: id,
    sequence: 1,
    type: 'run.queued',
    payload: { kind: 'lens', generation: 0 },
  });
  return id;
}

/** The success of an attempt, without events and artifacts. */
export const aFinish = (
  { id, attempt, workflowId = null, hold = 0 }: Pick<ClaimedRun, 'id' | 'attempt'> & Partial<ClaimedRun>,
  more: Partial<Finish> = {},
): Finish => ({
  runId: id,
  workflowId,
  attempt,
  events: [],
  artifacts: [],
  tokenInput: 1,
  tokenOutput: 1,
  hold,
  cost: 0,
  failure: null,
  ...more,
});

/** The success of a node in the first attempt of a run. */
export const aMove = (
  runId: string,
  { nodeKey = 'n', spent = 0, ...more }: Partial<RunMove> & { nodeKey?: string } = {},
): RunMove => ({
  runId,
  version: 0,
  attempt: 1,
  requestId: newId(),
  traceparent: null,
  workflowId: null,
  events: [{ type: 'node.succeeded', payload: { nodeId: nodeKey } }],
  nodes: [
    {
      key: nodeKey,
      nodeId: nodeKey,
      type: 'lens',
      status: 'succeeded',
      generation: 0,
      attempt: 1,
      tries: 0,
      lostAttempts: 0,
      worker: null,
      leaseMs: null,
      dueMs: null,
      live: [],
      state: null,
      output: {},
      cost: spent,
    },
  ],
  jobs: [],
  waits: [],
  spent,
  modelCalls: 1,
  tokenInput: 1,
  tokenOutput: 1,
  end: null,
  ...more,
});

export interface SequenceFault {
  runId: string;
  lastSequence: number;
  stored: number[];
}

/** Returns runs whose stored events are not numbered from 1 to the last sequence number without a gap. */
export const sequenceFaults = (ctx: Context): Promise<SequenceFault[]> =>
  ctx.db.query<SequenceFault[]>(
    `select r.id as "runId", r.last_sequence as "lastSequence",
            coalesce(array_agg(e.sequence order by e.sequence) filter (where e.sequence is not null), '{}') as stored
       from runs r left join run_events e on e.run_id = r.id
      group by r.id
     having r.last_sequence = 0 or count(e.sequence) <> r.last_sequence or max(e.sequence) <> r.last_sequence`,
  );

export interface RecordedChanges extends RunChanges {
  jobs: OutboxRow[];
  events: RunEvent[];
  positions: LogPosition[];
  runsToStop: string[];
  toAdmit: AdmissionTarget[];
}

/** Records the changes of all use cases on a database instead of publishing them. */
export class ChangeRecorder {
  private recorded = noChanges();
  /** Called with each change. */
  onChange: (changes: Partial<RunChanges>) => void = () => undefined;

  constructor(source: DataSource) {
    publishRunChanges(source, (changes) => {
      const { jobs = [], events = [], positions = [], runsToStop = [], toAdmit = [] } = changes;
      this.recorded.jobs.push(...jobs);
      this.recorded.events.push(...events);
      this.recorded.positions.push(...positions);
      this.recorded.runsToStop.push(...runsToStop);
      this.recorded.toAdmit.push(...toAdmit);
      this.onChange(changes);
    });
  }

  /** Returns the changes since the last call. */
  take(): RecordedChanges {
    const { recorded } = this;
    this.recorded = noChanges();
    return recorded;
  }

  /** Returns the job of a run or node, once. */
  takeJob(runId: string): OutboxRow | undefined {
    const index = this.recorded.jobs.findIndex(({ payload }) => payload['runId'] === runId);
    return index < 0 ? undefined : this.recorded.jobs.splice(index, 1)[0];
  }
}

const noChanges = (): RecordedChanges => ({
  jobs: [],
  events: [],
  positions: [],
  runsToStop: [],
  toAdmit: [],
});
