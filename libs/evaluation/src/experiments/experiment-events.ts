import {
  type ExperimentEvent,
  type ExperimentStatus,
  type GateResult,
  type NewExperimentEvent,
  endedExperimentStatuses,
  experimentChannel,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement, recordRunChanges, toJsonb } from '@lensforge/database';
import { readableExperiment } from './experiment-access.js';

const statement = preparedStatement(`
with moved as (
  update experiments set last_sequence = last_sequence + 1 where id = $1 returning last_sequence
), appended as (
  insert into experiment_events (experiment_id, sequence, type, payload, occurred_at)
  select $1, last_sequence, $2, $3::jsonb, clock_timestamp() from moved
)
select last_sequence as "lastSequence" from moved`);

/** Appends an event in the transaction of the change that it describes. */
export async function appendExperimentEvent(
  ctx: Context,
  experimentId: string,
  { type, payload }: NewExperimentEvent,
): Promise<void> {
  const rows = await ctx.db.query<{ lastSequence: number }[]>(statement, [experimentId, type, toJsonb(payload)]);
  const channel = experimentChannel(experimentId);
  recordRunChanges(ctx, { positions: rows.map(({ lastSequence }) => ({ channel, lastSequence })) });
}

/** Appends the status of an experiment, in the transaction in which it has changed. */
export const appendStatus = (
  ctx: Context,
  experimentId: string,
  status: ExperimentStatus,
  { reason = null, gate = null }: { reason?: string | null; gate?: GateResult | null } = {},
): Promise<void> =>
  appendExperimentEvent(ctx, experimentId, { type: 'status.changed', payload: { status, reason, gate } });

export interface ExperimentLog {
  id: string;
  lastSequence: number;
  /** The status with which the stream ends; null while it goes on. */
  endedAs: ExperimentStatus | null;
}

/** The event log of an experiment of the caller. */
export async function readableExperimentLog(ctx: Context, experimentId: string): Promise<ExperimentLog> {
  const { id, lastSequence, status } = await readableExperiment(ctx, experimentId);
  return { id, lastSequence, endedAs: endedExperimentStatuses.includes(status) ? status : null };
}

const eventsAfter = preparedStatement(`
select experiment_id as "experimentId", sequence, type as "eventType", payload, iso(occurred_at) as "occurredAt"
  from experiment_events where experiment_id = $1 and sequence > $2 order by sequence limit $3`);

/** Returns events of an experiment after a sequence number, in order. */
export const readExperimentEvents = (
  ctx: Context,
  experimentId: string,
  after: number,
  limit: number,
): Promise<ExperimentEvent[]> => ctx.db.query<ExperimentEvent[]>(eventsAfter, [experimentId, after, limit]);

/** Returns the last sequence numbers of several experiments in one statement. */
export const readExperimentPositions = (
  ctx: Context,
  experimentIds: readonly string[],
): Promise<{ id: string; lastSequence: number }[]> =>
  ctx.db.query('select id, last_sequence as "lastSequence" from experiments where id = any($1)', [experimentIds]);
