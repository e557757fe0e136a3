import { type ActionResult, type AgentAction, type RunCause, toolOfAction } from '@lensforge/contracts';
import { addContender, castVote, createBattle, readBattle, submitEntry } from '@lensforge/battles';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { inNestedTransaction } from '@lensforge/database';
import type { OwnAiLenser } from '@lensforge/identity';
import { type AcceptedRun, acceptLensRun, acceptWorkflowRun, getExecutionMs } from '@lensforge/runs';
import { recordAgentRun } from '../agent-runs.js';
import { contextOfAgent } from '../context-of-agent.js';
import { countAgentRun } from '../daily-caps.js';
import { type MetadataOf, parseMetadata } from './action-metadata.js';
import { modelOfAgent } from './model-of-agent.js';
import { refuseLimitedTokens } from './refuse-limited-tokens.js';

export interface ActionOrder {
  actionId: string;
  agent: OwnAiLenser;
  action: AgentAction;
  /** Complete, with the names of its members in snake_case. */
  metadata: Record<string, unknown>;
}

export interface ActionOutcome {
  result: ActionResult;
  reason?: string;
  output?: Record<string, unknown>;
}

/**
 * Performs an action as the AI lenser, in the current transaction. A refusal by a use case is an outcome and leaves nothing
 * of the action; invalid metadata is an error.
 */
export async function performAction(ctx: Context, order: ActionOrder): Promise<ActionOutcome> {
  const perform = prepared(order);
  const acting = await contextOfAgent(ctx, order.agent.id, toolOfAction[order.action]);
  try {
    refuseLimitedTokens(ctx);
    return { result: 'success', output: await inNestedTransaction(acting, perform) };
  } catch (reason) {
    if (!(reason instanceof DomainError)) throw reason;
    return refused(reason);
  }
}

type Perform = (ctx: Context) => Promise<Record<string, unknown>>;

function prepared(order: ActionOrder): Perform {
  const perform = performs[order.action] as (ctx: Context, order: ActionOrder, metadata: object) => ReturnType<Perform>;
  const metadata = parseMetadata(order.action, order.metadata);
  return (ctx) => perform(ctx, order, metadata);
}

const performs: {
  readonly [A in AgentAction]: (
    ctx: Context,
    order: ActionOrder,
    metadata: MetadataOf<A>,
  ) => Promise<Record<string, unknown>>;
} = {
  run_lens: async (ctx, order, { lens_id: lensId, param_values: params }) => {
    const { modelOverride: usualModel, ...payer } = await modelOfAgent(ctx, order.agent);
    const run = await startRun(ctx, order, (cause) =>
      acceptLensRun(ctx, { lensId, params, cause, timeoutMs: getExecutionMs(ctx), usualModel, ...payer }),
    );
    return { ...run, lensId };
  },
  run_workflow: async (ctx, order, { workflow_id: workflowId, inputs }) => {
    const run = await startRun(ctx, order, (cause) => acceptWorkflowRun(ctx, { workflowId, inputs, cause }));
    return { ...run, workflowId };
  },
  submit_entry: async (ctx, { agent }, { battle_id: battleId, content_text: contentText }) => {
    const contenderId = await requireContender(ctx, battleId, agent.id);
    const { replaced, status } = await submitEntry(ctx, { battleId, contenderId, contentText });
    return { battleId, contenderId, replaced, battleStatus: status };
  },
  cast_vote: async (ctx, _, { battle_id: battleId, winner, ranking, tie }) => {
    if (winner === undefined && !ranking && !tie) await refuseWithBallot(ctx, battleId);
    const vote = await castVote(ctx, {
      battleId,
      ...(winner !== undefined && { winner }),
      ...(ranking && { ranking }),
      ...(tie && { tie }),
    });
    return { battleId, ranking: vote.ranking };
  },
  join_battle: async (ctx, { agent }, { battle_id: battleId }) => {
    const { id, slotLabel } = await addContender(ctx, {
      battleId,
      displayName: agent.displayName,
      contenderType: 'ai_agent',
      contenderRefId: agent.id,
    });
    return { battleId, contenderId: id, slotLabel };
  },
  create_battle: async (ctx, _, metadata) => {
    const { id, title } = await createBattle(ctx, {
      title: metadata.title,
      taskPrompt: metadata.task_prompt,
      ...(metadata.battle_type && { battleType: metadata.battle_type }),
      ...(metadata.judging_mode && { judgingMode: metadata.judging_mode }),
      ...(metadata.max_contenders !== undefined && { maxContenders: metadata.max_contenders }),
      ...(metadata.ai_judge_model_key !== undefined && { aiJudgeModelKey: metadata.ai_judge_model_key }),
    });
    return { battleId: id, title };
  },
};

/** Starts a run of an action within the caps of its AI lenser. */
async function startRun(
  ctx: Context,
  { agent, actionId }: ActionOrder,
  accept: (cause: RunCause) => Promise<AcceptedRun>,
): Promise<{ runId: string; status: string }> {
  await countAgentRun(ctx, agent, 'action');
  const { runId, status } = await accept({ kind: 'agent', agentId: agent.id, actionId });
  await recordAgentRun(ctx, { runId, agentId: agent.id, kind: 'action' });
  return { runId, status };
}

/** The ids of a ballot are those of its voter, so that a vote without a choice is answered with the ballot. */
async function refuseWithBallot(ctx: Context, battleId: string): Promise<void> {
  const { ballot } = await readBattle(ctx, battleId);
  if (!ballot) return;
  throw new DomainError('BAD_INPUT', 'Give a winner, a ranking or a tie, by the ids of this ballot', { ballot });
}

/** The contender that the AI lenser is in a battle. */
async function requireContender(ctx: Context, battleId: string, agentId: string): Promise<string> {
  const [found] = await ctx.db.query<{ id: string }[]>(
    'select id from battle_contenders where battle_id = $1 and lenser_account_id = $2 order by slot_label limit 1',
    [battleId, agentId],
  );
  if (!found) throw notFound('contender of this AI lenser in the battle', battleId);
  return found.id;
}

function refused({ code, message, details }: DomainError): ActionOutcome {
  const { reason, limitOf, ballot } = details ?? {};
  const cap = limitOf === 'agent' ? 'credits_per_day' : code === 'THROTTLED' ? reason : undefined;
  const isThrottled = typeof cap === 'string' || code === 'THROTTLED' || code === 'RATE_LIMITED';
  return {
    result: isThrottled ? 'throttled' : 'failed',
    reason: typeof cap === 'string' ? cap : code.toLowerCase(),
    output: { message, ...(Array.isArray(ballot) && { ballot: ballot as unknown[] }) },
  };
}
