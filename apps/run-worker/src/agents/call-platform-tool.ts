import {
  platformToolVerdict,
  readAgentRights,
  readToolApproval,
  requestToolApproval,
  storeOutcome,
} from '@lensforge/agents';
import type { Context } from '@lensforge/core';
import { type LockedNode, type NewRunEvent, lockHeldNode } from '@lensforge/runs';
import { Stopped } from '../engine/attempt.js';
import type { AgentTool } from './agent-tools.js';
import { type CallEnd, type PendingToolCall, type Decided, deniedOutcome } from './pending-tool-call.js';
import { performPlatformTool } from './perform-platform-tool.js';
import type { ToolOutcome } from './tool-events.js';

type End = { outcome: ToolOutcome } | { waitsMs: number; approvalId?: string } | 'lost';

/** Performs a tool of the platform once: its effect, its record and its events are one commit. */
export async function callPlatformTool(
  call: PendingToolCall,
  { tool }: Extract<AgentTool, { kind: 'platform' }>,
): Promise<CallEnd> {
  const end = await call.team.write(async (ctx): Promise<End> => {
    const locked = await lockHeldNode(ctx, call.team.work.node);
    if (!locked) return 'lost';
    const rights = await readAgentRights(ctx, call.agentId);
    const decided = platformToolVerdict(rights, call);
    const approval = await askForApproval(ctx, call, decided);
    if (approval === 'requested') return requestApproval(ctx, call, locked, decided);
    if ('waitsMs' in approval) return approval;
    const outcome = approval.refusal ?? (await performPlatformTool(ctx, call, tool, rights));
    if (!(await call.settle(ctx, outcome, { locked, events: approval.events }))) return 'lost';
    if (approval.isApproved) await storeOutcome(ctx, call.call.approvalId ?? '', actionOutcome(outcome));
    else await call.recordVerdict(ctx, decided);
    return { outcome };
  });
  if (end === 'lost') throw new Stopped('lost');
  if ('outcome' in end) {
    call.remember(end.outcome);
    return undefined;
  }
  if (end.approvalId !== undefined) call.team.hasNewWait = true;
  call.remember('waiting', end.approvalId);
  return end.waitsMs;
}

interface Permission {
  /** Set when the call must not be performed. */
  refusal?: ToolOutcome;
  isApproved: boolean;
  events: NewRunEvent[];
}

/** The permission for a call by verdict and approval. */
async function askForApproval(
  ctx: Context,
  { call, toolId, team }: PendingToolCall,
  { verdict, reason = 'policy' }: Decided,
): Promise<Permission | { waitsMs: number } | 'requested'> {
  const { approvalId } = call;
  if (approvalId === null) {
    if (verdict === 'ask') return 'requested';
    return { isApproved: false, events: [], ...(verdict === 'deny' && { refusal: deniedOutcome(toolId, reason) }) };
  }
  const { status = 'expired', msLeft = 0 } = (await readToolApproval(ctx, approvalId)) ?? {};
  if (status === 'pending') return { waitsMs: Math.max(msLeft, 1) };
  const decision = { approved: 'approved', denied: 'rejected', expired: 'expired' } as const;
  const events: NewRunEvent[] = [
    { type: 'approval.resolved', payload: { ...team.nodeRef, decision: decision[status] } },
  ];
  if (status !== 'approved') {
    const why = status === 'denied' ? 'the owner denied it' : 'the owner did not decide in time';
    return { isApproved: false, events, refusal: deniedOutcome(toolId, why) };
  }
  return { isApproved: true, events, ...(verdict === 'deny' && { refusal: deniedOutcome(toolId, reason) }) };
}

async function requestApproval(
  ctx: Context,
  call: PendingToolCall,
  locked: LockedNode,
  decided: Decided,
): Promise<End> {
  const { agentId, toolId, input, team } = call;
  const { runId, nodeKey } = team.work.node;
  const approvalId = await requestToolApproval(ctx, { agentId, runId, nodeKey, toolId, input });
  const message = `${call.agent.handle} asks to call ${toolId}`;
  const events: NewRunEvent[] = [{ type: 'approval.requested', payload: { ...team.nodeRef, approvalId, message } }];
  if (!(await call.move(ctx, { state: 'waiting', approvalId, events }, locked))) return 'lost';
  await call.recordVerdict(ctx, decided);
  const { msLeft = 1 } = (await readToolApproval(ctx, approvalId)) ?? {};
  return { waitsMs: Math.max(msLeft, 1), approvalId };
}

const actionOutcome = ({ text, isError }: ToolOutcome) =>
  isError
    ? ({ result: 'failed', reason: 'tool_error', output: { message: text.slice(0, 1000) } } as const)
    : ({ result: 'success' } as const);
