import { type RequiredAction, type RequiredCall, type ToolResult, maxToolResult } from '@lensforge/contracts';
import { type Context, DomainError, badInput, notFound } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { isDeepStrictEqual } from 'node:util';
import { writableRun } from '../access.js';
import { extendDeadlines } from '../run-tree.js';
import { getAnswererId, wakeNode } from './approvals.js';
import type { HeldNode } from './node-leases.js';

/** A call of a tool that only the caller of the run can perform. */
export interface CallForCaller {
  id: string;
  name: string;
  input: unknown;
}

/** The time for which a run waits for results of its caller. */
export const toolResultsMs = 86_400_000;

const hourMs = 3_600_000;

/** Gives the run of a node the time for results; it locks the run, so call it before the node is locked. */
export const allowForToolResults = (ctx: Context, { runId }: HeldNode): Promise<void> =>
  extendDeadlines(ctx, runId, toolResultsMs + hourMs);

/** Stores calls that wait for results of the caller, in the transaction that has locked their node; returns their end. */
export async function openToolWaits(
  ctx: Context,
  { runId, nodeKey }: HeldNode,
  calls: readonly CallForCaller[],
): Promise<string> {
  const [wait] = await ctx.db.query<[{ expiresAt: string }]>(
    `insert into node_waits (run_id, id, node_key, kind, message, details, expires_at)
     select $1, "id", $2, 'tool', "name", "input", now() + $4 * interval '1 ms'
       from jsonb_to_recordset($3::jsonb) as x("id" uuid, "name" text, "input" jsonb)
     returning iso(expires_at) as "expiresAt"`,
    [runId, nodeKey, toJsonb(calls), toolResultsMs],
  );
  return wait.expiresAt;
}

const ofOpenCalls = `from node_waits where run_id = $1 and kind = 'tool' and decision is null and expires_at > now()`;

/** The calls of a run that wait for results of its caller; null without any. */
export async function readRequiredAction(ctx: Context, runId: string): Promise<RequiredAction | null> {
  const calls = await ctx.db.query<RequiredCall[]>(
    `select id as "callId", node_key as "nodeKey", message as name, details as input, iso(requested_at) as "requestedAt",
            iso(expires_at) as "expiresAt" ${ofOpenCalls} order by requested_at, id`,
    [runId],
  );
  return calls.length > 0 ? { type: 'tool_results', calls } : null;
}

interface Wait {
  id: string;
  nodeKey: string;
  value: unknown;
  decision: 'received' | 'expired' | null;
  isOver: boolean;
}

/**
 * Stores results of tools that the caller has performed, all or none. The first result of a call counts; the same result again
 * changes nothing. A node continues when none of its calls waits any more.
 */
export function answerToolCalls(
  ctx: Context,
  { runId, results }: { runId: string; results: readonly ToolResult[] },
): Promise<RequiredAction | null> {
  return inTransaction(ctx, async (ctx) => {
    await writableRun(ctx, runId);
    const values = new Map(results.map((result, index) => [result.callId, toValue(result, index)]));
    if (values.size < results.length) throw badInput('results', 'have two results for the same call');
    const [run] = await ctx.db.query<[{ isRunning: boolean }]>(
      `select status = 'running' as "isRunning" from runs where id = $1 for update`,
      [runId],
    );
    const waits = await ctx.db.query<Wait[]>(
      `select id, node_key as "nodeKey", value, decision, expires_at <= now() as "isOver" from node_waits
        where run_id = $1 and id = any ($2) and kind = 'tool'`,
      [runId, [...values.keys()]],
    );
    const known = new Map(waits.map((wait) => [wait.id, wait]));
    const added = [...values].filter(([callId, value]) => isNew(known.get(callId), { callId, value, ...run }));
    await ctx.db.query(
      `update node_waits w set decision = 'received', value = x.value, answered_by = $3, answered_at = now()
         from jsonb_to_recordset($2::jsonb) as x("id" uuid, "value" jsonb) where w.run_id = $1 and w.id = x.id`,
      [runId, toJsonb(added.map(([id, value]) => ({ id, value }))), getAnswererId(ctx)],
    );
    const required = await readRequiredAction(ctx, runId);
    const open = new Set(required?.calls.map(({ nodeKey }) => nodeKey));
    const answered = new Set(added.flatMap(([id]) => known.get(id)?.nodeKey ?? []));
    for (const nodeKey of answered) if (!open.has(nodeKey)) await wakeNode(ctx, runId, nodeKey);
    return required;
  });
}

type Value = { output: unknown } | { error: string };

function toValue({ output, error }: ToolResult, index: number): Value {
  if ((output === undefined) === (error === undefined))
    throw badInput(`results.${index}`, 'needs either output or error');
  const value: Value = error === undefined ? { output } : { error };
  const { length } = JSON.stringify(value);
  if (length > maxToolResult) {
    throw badInput(`results.${index}`, `is longer than ${maxToolResult} characters as JSON; shorten it`);
  }
  return value;
}

/** True for the first result of a call; throws unless it can be stored or is stored already. */
function isNew(
  wait: Wait | undefined,
  { callId, value, isRunning }: { callId: string; value: Value; isRunning: boolean },
): boolean {
  if (!wait) throw notFound('tool call', callId);
  if (wait.decision === 'received') {
    if (isDeepStrictEqual(wait.value, value)) return false;
    throw new DomainError('CONFLICT', `The call ${callId} has another result already`);
  }
  if (!isRunning) throw new DomainError('CONFLICT', 'The run has ended: its tool calls can no longer be answered');
  if (wait.isOver) throw new DomainError('CONFLICT', `The time for the result of ${callId} is over`);
  return true;
}
