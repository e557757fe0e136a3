import { recordAudit } from '@lensforge/audit';
import { type ActionVerdict, type AgentAction, type AgentActionReply, toolOfAction } from '@lensforge/contracts';
import { type Context, DomainError, newId } from '@lensforge/core';
import { retryOutsideTransaction, toJsonb } from '@lensforge/database';
import { ownAgent } from '../access.js';
import { recordAgentEvent } from '../events/record-agent-event.js';
import { toolVerdict } from '../grants/tool-verdict.js';
import { inOrder } from '../in-order.js';
import { type GivenMetadata, completeMetadata, idempotencyKeyIn, parseMetadata } from './action-metadata.js';
import { type ActionOrder, type ActionOutcome, performAction } from './perform-action.js';

export interface AgentActionOrder extends GivenMetadata {
  agentId: string;
  action: AgentAction;
}

/** The time in which the owner can approve an action. */
export const approvalMs = 24 * 3_600_000;

/**
 * Performs an action as an AI lenser of the caller, or requests the approval of its owner, as grant, policy and caps say. The
 * effect, its record and its event are one commit. A repeated idempotency key has the result of the first request.
 */
export async function runAgentAction(ctx: Context, order: AgentActionOrder): Promise<AgentActionReply> {
  const { action } = order;
  const agent = await retryOutsideTransaction(ctx, () => ownAgent(ctx, order.agentId));
  const metadata = completeMetadata(action, order);
  const key = idempotencyKeyIn(metadata);
  const outcome = await inOrder(ctx, agent.id, async (ctx) => {
    const actionId = newId();
    const { verdict, reason } = await toolVerdict(ctx, { agentId: agent.id, toolId: toolOfAction[action], action });
    const request = { actionId, agent, action, metadata };
    const earlier = await insertAction(ctx, { ...request, key, verdict });
    if (earlier) return earlier;
    const outcome = await decide(ctx, request, { verdict, reason });
    await storeOutcome(ctx, actionId, outcome);
    await recordDecision(ctx, request, { ...outcome, verdict });
    return outcome;
  });
  return { action, aiLenserId: agent.id, ...outcome };
}

async function decide(
  ctx: Context,
  order: ActionOrder,
  { verdict, reason = 'policy' }: { verdict: ActionVerdict; reason?: string | undefined },
): Promise<ActionOutcome> {
  if (verdict === 'allow') return performAction(ctx, order);
  if (verdict === 'deny') return { result: 'blocked_by_policy', reason };
  parseMetadata(order.action, order.metadata);
  return { result: 'blocked_by_policy', reason, output: { approvalId: order.actionId } };
}

/** Inserts an action; returns the outcome of the earlier one with the same key. */
async function insertAction(
  ctx: Context,
  action: ActionOrder & { key: string | null; verdict: ActionVerdict },
): Promise<ActionOutcome | undefined> {
  const { actionId, agent, metadata, key, verdict } = action;
  const values = [agent.id, key, action.action, toJsonb(metadata)];
  const inserted = await ctx.db.query<unknown[]>(
    `insert into agent_actions (agent_id, idempotency_key, action, metadata, id, verdict, approval, expires_at, created_at)
     select $1, $2, $3, $4, $5, $6, case $6 when 'ask' then 'pending' end,
            case $6 when 'ask' then $7::timestamptz + $8 * interval '1 ms' end, $7
     on conflict (agent_id, idempotency_key) where idempotency_key is not null do nothing
     returning id`,
    [...values, actionId, verdict, ctx.now(), approvalMs],
  );
  if (inserted.length > 0) return undefined;
  const [earlier] = await ctx.db.query<(StoredOutcome & { isSame: boolean })[]>(
    `select result, reason, output, action = $3 and metadata = $4::jsonb as "isSame"
       from agent_actions where agent_id = $1 and idempotency_key = $2`,
    values,
  );
  if (earlier?.isSame) return toOutcome(earlier);
  throw new DomainError(
    'IDEMPOTENCY_KEY_REUSED',
    'This idempotency key was used for another action of this AI lenser: choose a new one',
  );
}

export interface StoredOutcome {
  result: ActionOutcome['result'];
  reason: string | null;
  output: Record<string, unknown> | null;
}

const toOutcome = ({ result, reason, output }: StoredOutcome): ActionOutcome => ({
  result,
  ...(reason !== null && { reason }),
  ...(output && { output }),
});

/** Stores the outcome of an action, which is that of its approval in the end. */
export async function storeOutcome(
  ctx: Context,
  actionId: string,
  { result, reason, output }: ActionOutcome,
): Promise<void> {
  await ctx.db.query('update agent_actions set result = $2, reason = $3, output = $4 where id = $1', [
    actionId,
    result,
    reason ?? null,
    output ? toJsonb(output) : null,
  ]);
}

async function recordDecision(
  ctx: Context,
  { actionId, agent, action }: ActionOrder,
  { verdict, result, reason, output }: ActionOutcome & { verdict: ActionVerdict },
): Promise<void> {
  const { id: agentId, owner } = agent;
  const decision = { actionId, action, verdict, result, ...(reason !== undefined && { reason }) };
  await recordAgentEvent(ctx, { agentId, runId: runIdIn(output), type: 'action.decided', payload: decision });
  if (verdict === 'ask') {
    const expiresAt = new Date(ctx.now().getTime() + approvalMs).toISOString();
    const payload = { approvalId: actionId, action, expiresAt };
    await recordAgentEvent(ctx, { agentId, type: 'approval.requested', payload });
  }
  await recordAudit(ctx, {
    accountId: owner.id,
    action: 'agent_action.decided',
    target: { kind: 'ai_lenser', id: agentId },
    details: decision,
  });
}

/** The run that an action has started. */
export const runIdIn = (output: ActionOutcome['output']): string | undefined =>
  typeof output?.['runId'] === 'string' ? output['runId'] : undefined;
