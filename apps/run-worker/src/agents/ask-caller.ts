import { isRecord } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import {
  type NewRunEvent,
  allowForToolResults,
  appendNodeText,
  lockHeldNode,
  openToolWaits,
  readWait,
  toolResultsMs,
} from '@lensforge/runs';
import { Stopped } from '../engine/attempt.js';
import { finalFailure } from './agent-failure.js';
import type { AgentTeam } from './agent-team.js';
import { type CallEnd, type PendingToolCall, storable } from './pending-tool-call.js';
import { type ToolOutcome, maxInEvent } from './tool-events.js';

/** Asks the caller of the run for the results of calls, or takes those that have arrived; new calls share one event. */
export async function askCaller(team: AgentTeam, calls: readonly PendingToolCall[]): Promise<CallEnd> {
  const asked = calls.filter(({ call }) => call.state === 'waiting');
  const added = calls.filter(({ call }) => call.state !== 'waiting');
  const ends = [...(await Promise.all(asked.map(takeResult)))];
  if (added.length > 0) ends.push(await openCalls(team, added));
  const waits = ends.filter((end) => end !== undefined);
  return waits.length > 0 ? Math.min(...waits) : undefined;
}

async function openCalls(team: AgentTeam, calls: readonly PendingToolCall[]): Promise<number> {
  const { node } = team.work;
  const opened = calls.map((call) => ({ call, id: newId() }));
  const isHeld = await team.write(async (ctx) => {
    await allowForToolResults(ctx, node);
    const locked = await lockHeldNode(ctx, node);
    if (!locked) return false;
    const expiresAt = await openToolWaits(
      ctx,
      node,
      opened.map(({ id, call: { toolId: name, input } }) => ({ id, name, input })),
    );
    for (const { id, call } of opened) await call.move(ctx, { state: 'waiting', approvalId: id }, locked);
    const event: NewRunEvent = {
      type: 'run.requires_action',
      payload: { ...team.nodeRef, calls: opened.map(({ id, call }) => inEvent(id, call)), expiresAt },
    };
    await appendNodeText(ctx, [{ ...node, events: [event] }]);
    return true;
  });
  if (!isHeld) throw new Stopped('lost');
  for (const { id, call } of opened) call.remember('waiting', id);
  team.hasNewWait = true;
  return toolResultsMs;
}

function inEvent(callId: string, { toolId: name, input }: PendingToolCall) {
  return { callId, name, ...(JSON.stringify(input).length <= maxInEvent && { input }) };
}

/** Takes the result of the caller, or the time for which it is still awaited. */
async function takeResult(call: PendingToolCall): Promise<CallEnd> {
  const { team } = call;
  const end = await team.write(async (ctx): Promise<ToolOutcome | number | 'expired' | 'lost'> => {
    const locked = await lockHeldNode(ctx, team.work.node);
    if (!locked) return 'lost';
    const found = await readResult(ctx, call);
    if (typeof found !== 'object') return found;
    return (await call.settle(ctx, found, { locked })) ? found : 'lost';
  });
  if (end === 'lost') throw new Stopped('lost');
  if (end === 'expired')
    throw finalFailure('TOOL_RESULTS_EXPIRED', `The caller gave no result of ${call.toolId} in time`);
  if (typeof end === 'number') return end;
  call.remember(end);
  return undefined;
}

async function readResult(ctx: Context, { team, call }: PendingToolCall): Promise<ToolOutcome | number | 'expired'> {
  const wait = await readWait(ctx, team.work.node.runId, call.approvalId ?? '');
  if (wait?.decision === 'expired') return 'expired';
  if (wait?.decision !== 'received') return Math.max(wait?.msLeft ?? 1, 1);
  const { output, error } = isRecord(wait.value) ? wait.value : {};
  if (typeof error === 'string') return { text: storable(error), isError: true };
  return { text: storable(typeof output === 'string' ? output : JSON.stringify(output ?? null)), isError: false };
}
