import type { RunEvent, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { settleCredits } from '@lensforge/credits';
import { publishEvent, inTransaction, toJsonb } from '@lensforge/database';
import type { NewRunEvent } from '../execute/append-events.js';
import type { EndedNode } from '../nodes/end-nodes.js';
import { endNodes, openChildren } from '../nodes/end-nodes.js';
import { nodeRef } from '../nodes/node-ref.js';
import { countCanceled, lockTree } from '../nodes/run-tree.js';
import { wakeParent } from '../nodes/wake-parent.js';
import type { RunKind } from '../run.entity.js';

type Ending = Exclude<RunStatus, 'queued' | 'running' | 'succeeded'>;

export interface RunEnding {
  runId: string;
  from: 'queued' | 'running';
  status: Ending;
  reason: string;
  errorCode?: string;
  /** By default the reason. */
  errorMessage?: string;
  /** If given, the run ends only while this attempt holds it. */
  attempt?: number;
}

interface Ended {
  accountId: string;
  kind: RunKind;
  cause: Record<string, unknown> | null;
  hold: number;
  /** The credits charged for its ended nodes. */
  cost: number;
  lastSequence: number;
  workflowId: string | null;
  requestId: string;
  traceparent: string | null;
  lensId: string | null;
  tags: string[];
  metadata: Record<string, unknown> | null;
}

/**
 * Ends a run outside of a worker's normal finish: settles its hold and writes events and outbox row in one transaction.
 * Returns undefined when the run is no longer in the expected status and attempt.
 */
export function endRun(ctx: Context, ending: RunEnding): Promise<RunEvent[] | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const ended = await close(ctx, ending);
    if (!ended) return undefined;
    if (ended.kind === 'workflow') await lockTree(ctx, ending.runId);
    const { runId, status, reason, errorCode } = ending;
    const { accountId, hold, lastSequence, workflowId, requestId, traceparent } = ended;
    const { cost, lensId, tags, metadata } = ended;
    if (hold > 0) await settleCredits(ctx, { runId, cost: Math.min(cost, hold) });
    const nodes = ended.kind === 'workflow' ? await endNodes(ctx, runId) : [];
    const events = [...nodes.map(canceled), ...eventsOf(ending, hold, cost)];
    const stored = await ctx.db.query<RunEvent[]>(insertEvents, [runId, lastSequence + nodes.length, toJsonb(events)]);
    if (ended.kind === 'workflow') {
      stored.unshift(...(await endChildren(ctx, runId)));
      await countCanceled(ctx, runId, keysOf(nodes));
    }
    if (ended.cause?.['kind'] === 'node') await wakeParent(ctx, ended.cause);
    if (status !== 'canceled') {
      const error = { code: errorCode ?? status.toUpperCase(), message: reason };
      const origin = { ...ctx, requestId, traceparent: traceparent ?? undefined };
      await publishEvent(origin, accountId, 'run.failed', { runId, workflowId, error, lensId, tags, metadata });
    }
    return stored;
  });
}

async function close(ctx: Context, ending: RunEnding): Promise<Ended | undefined> {
  const { runId, from, status, reason, attempt, errorCode, errorMessage = reason } = ending;
  const [rows] = await ctx.db.query<[Ended[], number]>(
    `update runs set status = $3, completed_at = now(), lease_until = null, worker = null, credit_cost = spent_credits,
            error_code = $4, error_message = $5,
            billing_status = case when spent_credits > 0 then 'charged' when credit_hold > 0 then 'released' else 'none' end,
            last_sequence = last_sequence + 1 + case when credit_hold > 0 and spent_credits > 0 then 1 else 0 end
                                              + case when credit_hold > spent_credits then 1 else 0 end
      where id = $1 and status = $2 and ($6::int is null or attempt = $6)
      returning account_id as "accountId", kind, cause, credit_hold::float8 as hold, spent_credits::float8 as cost, last_sequence as "lastSequence",
                workflow_id as "workflowId", request_id as "requestId", traceparent, lens_id as "lensId", tags, metadata`,
    [runId, from, status, errorCode ?? null, errorCode === undefined ? null : errorMessage, attempt ?? null],
  );
  return rows[0];
}

function eventsOf({ status, reason, errorCode }: RunEnding, hold: number, cost: number): NewRunEvent[] {
  const events: NewRunEvent[] = [];
  if (hold > 0 && cost > 0) events.push({ type: 'credits.charged', payload: { amount: Math.min(cost, hold) } });
  if (hold > cost) events.push({ type: 'credits.released', payload: { amount: hold - cost } });
  events.push(
    status === 'failed'
      ? { type: 'run.failed', payload: { errorCode: errorCode ?? 'FAILED', errorMessage: reason } }
      : { type: `run.${status}`, payload: { reason } },
  );
  return events;
}

const keysOf = (nodes: readonly EndedNode[]): string[] => nodes.map(({ nodeKey }) => nodeKey);

const canceled = (node: EndedNode): NewRunEvent => ({ type: 'node.canceled', payload: nodeRef(node) });

/** Cancels the runs that nodes of this run wait for. */
async function endChildren(ctx: Context, runId: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (const { id, status: from } of await openChildren(ctx, runId)) {
    const ending = { runId: id, from, status: 'canceled', reason: 'its parent run has ended' } as const;
    events.push(...((await endRun(ctx, ending)) ?? []));
  }
  return events;
}

const insertEvents = `
with new_events as (
  insert into run_events (run_id, sequence, type, payload)
  select $1::uuid, $2::int - jsonb_array_length($3::jsonb) + e.position::int, e.event ->> 'type', e.event -> 'payload'
    from jsonb_array_elements($3::jsonb) with ordinality as e(event, position)
  returning run_id, sequence, type, payload, occurred_at
)
select type as "eventType", payload, iso(occurred_at) as "occurredAt", run_id as "runId", sequence from new_events order by sequence`;
