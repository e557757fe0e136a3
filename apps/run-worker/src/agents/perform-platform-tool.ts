import { type AgentRights, contextWithRights, countAgentRun, recordAgentRun } from '@lensforge/agents';
import { isRecord } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inNestedTransaction } from '@lensforge/database';
import { setRunCause } from '@lensforge/runs';
import { type Tool, type ToolResult, refuseWithoutPermission } from '@lensforge/tools';
import { maxWorkflowDepth } from '@lensforge/workflows';
import { asAgentFailure } from './agent-failure.js';
import { getDepth } from './agent-team.js';
import { throughRecording } from '../engine/recorded-calls.js';
import { type PendingToolCall, toToolOrder } from './pending-tool-call.js';
import type { ToolOutcome } from './tool-events.js';

/** Undoes the writes of a call that was refused, so that only its result remains. */
class RefusedCall extends Error {
  override readonly name = 'RefusedCall';

  constructor(readonly outcome: ToolOutcome) {
    super('the tool refused the call');
  }
}

const startsRun: readonly string[] = ['run_workflow', 'retry_workflow'];

/** Performs a tool of the catalogue as the agent, in the current transaction. A refusal leaves nothing of the call. */
export async function performPlatformTool(
  ctx: Context,
  call: PendingToolCall,
  tool: Tool,
  rights: AgentRights,
): Promise<ToolOutcome> {
  const acting = contextWithRights(ctx, rights, tool.name);
  const refusal = refuseWithoutPermission(acting.actor, tool);
  if (refusal) return toToolOutcome(refusal);
  const order = toToolOrder(call.team, call.ref, { toolId: tool.name, input: call.call.input });
  const make = (): Promise<ToolOutcome> => performLive(acting, call, tool);
  try {
    return (await throughRecording(acting, call.team.work.run.cause, order, { make })).value;
  } catch (reason) {
    throw asAgentFailure(reason);
  }
}

async function performLive(acting: Context, call: PendingToolCall, tool: Tool): Promise<ToolOutcome> {
  try {
    return await inNestedTransaction(acting, (acting) => makeCall(acting, call, tool));
  } catch (reason) {
    if (reason instanceof RefusedCall) return reason.outcome;
    if (!(reason instanceof DomainError)) throw reason;
    const { code, message } = reason;
    return { text: JSON.stringify({ error: { code, message } }), isError: true };
  }
}

async function makeCall(acting: Context, call: PendingToolCall, tool: Tool): Promise<ToolOutcome> {
  const isStart = startsRun.includes(tool.name);
  if (isStart) await countStart(acting, call);
  const result = await tool.call(acting, call.call.input);
  if (result.isError) throw new RefusedCall(toToolOutcome(result));
  if (isStart) await recordStart(acting, call, result);
  return toToolOutcome(result);
}

export const toToolOutcome = ({ content, isError = false }: ToolResult): ToolOutcome => ({
  text: content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n'),
  isError,
});

/** Counts a run against the caps of the agent before it starts. */
async function countStart(ctx: Context, { team, agent }: PendingToolCall): Promise<void> {
  const { cause } = team.work.run;
  const limit = cause?.['creditLimit'];
  if (isRecord(limit) && limit['of'] !== 'agent') {
    throw new DomainError(
      'FORBIDDEN',
      'This run has the credit limit of a token, so that its agents cannot start others',
    );
  }
  if (getDepth(cause) + 1 >= maxWorkflowDepth) {
    const message = `Runs of agents may start each other at most ${maxWorkflowDepth} levels deep`;
    throw new DomainError('CONFLICT', message);
  }
  await countAgentRun(ctx, agent, 'action');
}

/** Records the agent as the cause of the run. */
async function recordStart(
  ctx: Context,
  { agentId, team }: PendingToolCall,
  { structuredContent }: ToolResult,
): Promise<void> {
  const runId = isRecord(structuredContent) ? structuredContent['id'] : undefined;
  if (typeof runId !== 'string') return;
  const depth = getDepth(team.work.run.cause) + 1;
  const isNew = await setRunCause(ctx, runId, { kind: 'agent', agentId, depth });
  if (isNew) await recordAgentRun(ctx, { runId, agentId, kind: 'action' });
}
