import { recordAudit } from '@lensforge/audit';
import {
  type AgentAction,
  type AgentApproval,
  type AgentApprovalStatus,
  type PendingAgentApproval,
  toolOfAction,
} from '@lensforge/contracts';
import {
  type Context,
  type CountedPage,
  DomainError,
  type PagePosition,
  countedPage,
  isUuid,
  notFound,
} from '@lensforge/core';
import { retryOutsideTransaction } from '@lensforge/database';
import type { OwnAiLenser } from '@lensforge/identity';
import { ownAgent } from '../access.js';
import { recordAgentEvent } from '../events/record-agent-event.js';
import { wakeNode } from '@lensforge/runs';
import { toolVerdict } from '../grants/tool-verdict.js';
import { inOrder } from '../in-order.js';
import { type ActionOutcome, performAction } from './perform-action.js';
import { refuseLimitedTokens } from './refuse-limited-tokens.js';
import { runIdIn, storeOutcome } from './run-agent-action.js';

const status = `case when approval = 'pending' and expires_at <= now() then 'expired' else approval end`;
const ofApproved = (column: string): string => `case when approval = 'approved' then ${column} end as ${column}`;
const columns = `id, agent_id as "aiLenserId", action, metadata, run_id as "runId", tool_id as "toolId", ${status} as status, iso(created_at) as "requestedAt",
  iso(expires_at) as "expiresAt", iso(decided_at) as "decidedAt", ${['result', 'reason', 'output'].map(ofApproved).join(', ')}`;

/** A tool call can be performed while its run is there to receive the result. */
const canBePerformed = `(run_id is null or exists (select from runs r where r.id = run_id and r.status = 'running'))`;

export interface AgentApprovalFilter extends PagePosition {
  agentId: string;
  status?: AgentApprovalStatus | undefined;
}

/** Lists the approvals that actions of an AI lenser of the caller have requested, newest first. */
export async function listAgentApprovals(
  ctx: Context,
  { agentId, status: wanted, limit, offset = 0 }: AgentApprovalFilter,
): Promise<CountedPage<AgentApproval>> {
  const { id } = await ownAgent(ctx, agentId);
  const found = `agent_actions where agent_id = $1 and approval is not null and ($2::text is null or ${status} = $2)`;
  return readPage(ctx, { columns, found, parameters: [id, wanted ?? null], page: { limit, offset } });
}

/** Lists the actions of all AI lensers of the caller that wait for an approval, newest first. */
export async function listPendingAgentApprovals(
  ctx: Context,
  { limit, offset = 0 }: PagePosition,
): Promise<CountedPage<PendingAgentApproval>> {
  const handle = '(select a.handle from accounts a where a.id = agent_id) as handle';
  const found = `agent_actions
    where agent_id in (select l.account_id from accounts a join ai_lensers l on l.account_id = a.id where a.owner_account_id = $1)
      and approval = 'pending' and expires_at > now() and ${canBePerformed}`;
  const parameters = [ctx.actor.accountId];
  return readPage(ctx, { columns: `${columns}, ${handle}`, found, parameters, page: { limit, offset } });
}

interface Reading {
  columns: string;
  found: string;
  parameters: readonly unknown[];
  page: { limit: number; offset: number };
}

async function readPage<T>(ctx: Context, { columns, found, parameters, page }: Reading): Promise<CountedPage<T>> {
  const { limit, offset } = page;
  const [{ total }] = await ctx.db.query<[{ total: number }]>(`select count(*)::int as total from ${found}`, [
    ...parameters,
  ]);
  const items = await ctx.db.query<T[]>(
    `select ${columns} from ${found} order by id desc limit $${parameters.length + 1} offset $${parameters.length + 2}::bigint`,
    [...parameters, limit, offset],
  );
  return countedPage(items, { limit, offset, total });
}

export interface ApprovalDecision {
  agentId: string;
  approvalId: string;
  approve: boolean;
}

/**
 * Approves or denies an action. The first decision counts; an approved action is performed once, in its transaction. A tool call
 * of a run is performed by the worker of its node, which the decision wakes.
 */
export async function decideAgentApproval(ctx: Context, decision: ApprovalDecision): Promise<AgentApproval> {
  refuseLimitedTokens(ctx);
  const agent = await retryOutsideTransaction(ctx, () => ownAgent(ctx, decision.agentId));
  const { approvalId, approve } = decision;
  return inOrder(ctx, agent.id, async (ctx) => {
    const [rows] = await ctx.db.query<[Requested[], number]>(
      `update agent_actions set approval = $3, decided_at = $4, decided_by = $5
        where id = $1 and agent_id = $2 and approval = 'pending' and expires_at > now()
          and ${canBePerformed}
        returning action, metadata, run_id as "runId", node_key as "nodeKey"`,
      [approvalId, agent.id, approve ? 'approved' : 'denied', ctx.now(), getDeciderId(ctx)],
    );
    const [requested] = rows;
    if (!requested) throw await refusal(ctx, agent, approvalId);
    const { action, metadata, runId, nodeKey } = requested;
    const denied = { result: 'blocked_by_policy', reason: 'denied' } as const;
    if (runId !== null && nodeKey !== null) {
      if (!approve) await storeOutcome(ctx, approvalId, denied);
      await wakeNode(ctx, runId, nodeKey);
      await recordDecision(ctx, { agent, approvalId, action, approve, runId }, approve ? undefined : denied);
      return readApproval(ctx, agent, approvalId);
    }
    const outcome = approve ? await performApproved(ctx, { actionId: approvalId, agent, action, metadata }) : denied;
    await storeOutcome(ctx, approvalId, outcome);
    await recordDecision(ctx, { agent, approvalId, action, approve }, outcome);
    return readApproval(ctx, agent, approvalId);
  });
}

interface Requested {
  action: AgentAction;
  metadata: Record<string, unknown>;
  runId: string | null;
  nodeKey: string | null;
}

const getDeciderId = ({ actor }: Context): string | null => (isUuid(actor.accountId) ? actor.accountId : null);

/** Performs an approved action. The grant may have been revoked, and the policy may deny the action by now. */
async function performApproved(ctx: Context, order: Parameters<typeof performAction>[1]): Promise<ActionOutcome> {
  const { agent, action } = order;
  const { verdict, reason } = await toolVerdict(ctx, { agentId: agent.id, toolId: toolOfAction[action], action });
  return verdict === 'deny' ? { result: 'blocked_by_policy', reason: reason ?? 'policy' } : performAction(ctx, order);
}

interface Decided extends Pick<ApprovalDecision, 'approvalId' | 'approve'> {
  agent: OwnAiLenser;
  action: AgentAction;
  /** The run whose tool call was decided; otherwise the outcome names the run that the action has started. */
  runId?: string;
}

/** The outcome of an approved tool call is not known yet. */
async function recordDecision(
  ctx: Context,
  { agent, approvalId, action, approve, runId }: Decided,
  outcome: ActionOutcome | undefined,
): Promise<void> {
  const { id: agentId, owner } = agent;
  const status = approve ? 'approved' : 'denied';
  const payload = {
    approvalId,
    action,
    status,
    ...(approve &&
      outcome && { result: outcome.result, ...(outcome.reason !== undefined && { reason: outcome.reason }) }),
  } as const;
  await recordAgentEvent(ctx, {
    agentId,
    runId: runId ?? runIdIn(outcome?.output),
    type: 'approval.decided',
    payload,
  });
  await recordAudit(ctx, {
    accountId: owner.id,
    action: 'agent_approval.decided',
    target: { kind: 'ai_lenser', id: agentId },
    details: payload,
  });
}

async function refusal(ctx: Context, agent: OwnAiLenser, approvalId: string): Promise<DomainError> {
  const { status, decidedAt: answeredAt } = await readApproval(ctx, agent, approvalId);
  const message =
    status === 'expired'
      ? 'This approval has expired'
      : status === 'pending'
        ? 'The run has ended: its tool call can no longer be approved'
        : `This approval was already decided: ${status}`;
  return new DomainError('CONFLICT', message, { status, answeredAt });
}

async function readApproval(ctx: Context, { id }: OwnAiLenser, approvalId: string): Promise<AgentApproval> {
  const [found] = await ctx.db.query<AgentApproval[]>(
    `select ${columns} from agent_actions where id = $1 and agent_id = $2 and approval is not null`,
    [approvalId, id],
  );
  if (!found) throw notFound('approval', approvalId);
  return found;
}
