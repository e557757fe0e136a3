import { assignTool, runAgentAction, startTeamRun } from '@lensforge/agents';
import { type Context, newId, platformActor } from '@lensforge/core';
import { MAX_AI_LENSERS, listAiLensers } from '@lensforge/identity';
import { anAiLenser } from '@lensforge/identity/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import type { Example, Fixtures } from './fixtures.js';

const aName = () => ({ handle: `ai-${newId()}`, display_name: 'Ada the Second' });
const patch = { bio: 'Writes short answers.' };

/** An active AI lenser of the caller; the same one while it is active, since an owner has few. */
async function ownOf(ctx: Context): Promise<{ ai_lenser_id: string }> {
  const { items } = await listAiLensers(ctx, { owner: ctx.actor.accountId, limit: 1 });
  return { ai_lenser_id: (items[0] ?? (await anAiLenser(ctx))).id };
}

const mine = ({ mine: { ctx } }: Fixtures) => ownOf(ctx);
const theirs = ({ theirs: { ctx } }: Fixtures) => ownOf(ctx);
const missing = ({ missing: ai_lenser_id }: Fixtures) => ({ ai_lenser_id });

const hidden = async (fixtures: Fixtures) => (await theirs(fixtures)).ai_lenser_id;
const archived = async ({ mine: { ctx } }: Fixtures) => ({
  ai_lenser_id: (await anAiLenser(ctx, { archived: true })).id,
});
const tool = { tool_id: 'run_lens' };
const ofOwn = { names: 'ai_lenser_id', hidden };

/** An AI lenser that may run lenses without asking. */
async function mineThatRuns({ mine: { ctx } }: Fixtures): Promise<{ ai_lenser_id: string }> {
  const policy = { actions: { run_lens: 'allow' as const } };
  const { id } = await anAiLenser(ctx, { policy });
  await assignTool(ctx, { agentId: id, toolId: 'run_lens', allowed: true });
  return { ai_lenser_id: id };
}

const runsLens = ({ myLens: { id: lens_id } }: Fixtures, more: object = {}) => ({
  action_type: 'run_lens',
  metadata: { lens_id, param_values: { name: 'Ada' }, ...more },
});

async function aTeamRun(ctx: Context): Promise<{ ai_lenser_id: string; team_run_id: string }> {
  const { ai_lenser_id } = await ownOf(ctx);
  const { id: workflowId } = await aWorkflow(ctx);
  const platform = { ...ctx, actor: platformActor };
  const run = await startTeamRun(platform, { agentId: ai_lenser_id, workflowId, inputs: {}, policy: 'auto' });
  return { ai_lenser_id, team_run_id: run.id };
}

export const agentExamples: Record<string, Example> = {
  list_ai_lensers: { good: ({ theirs: { accountId } }) => ({ owner_lenser_id: accountId }), errors: {} },
  get_ai_lenser: { good: mine, errors: { NOT_FOUND: missing } },
  list_agent_tools: {
    good: mine,
    errors: {
      NOT_FOUND: missing,
      BAD_INPUT: async (fixtures) => ({ ...(await mine(fixtures)), cursor: 'of another list' }),
    },
    ...ofOwn,
  },
  list_agent_run_events: { good: mine, errors: { NOT_FOUND: missing }, ...ofOwn },
  assign_agent_tool: {
    good: async (fixtures) => ({ ...(await mine(fixtures)), ...tool }),
    errors: {
      NOT_FOUND: (fixtures) => ({ ...missing(fixtures), ...tool }),
      BAD_INPUT: async (fixtures) => ({ ...(await mine(fixtures)), tool_id: 'no_such_tool' }),
      CONFLICT: async (fixtures) => ({ ...(await archived(fixtures)), ...tool }),
    },
    ...ofOwn,
  },
  revoke_agent_tool: {
    good: async (fixtures) => ({ ...(await mine(fixtures)), ...tool }),
    errors: { NOT_FOUND: (fixtures) => ({ ...missing(fixtures), ...tool }) },
    ...ofOwn,
  },
  run_agent_action: {
    good: async (fixtures) => ({ ...(await mineThatRuns(fixtures)), ...runsLens(fixtures) }),
    errors: {
      NOT_FOUND: (fixtures) => ({ ...missing(fixtures), ...runsLens(fixtures) }),
      BAD_INPUT: async (fixtures) => ({ ...(await mineThatRuns(fixtures)), action_type: 'run_lens' }),
      CONFLICT: async (fixtures) => {
        const { ai_lenser_id } = await mineThatRuns(fixtures);
        await runAgentAction(fixtures.mine.ctx, {
          agentId: ai_lenser_id,
          action: 'cast_vote',
          metadata: { idempotency_key: 'used' },
        });
        return { ai_lenser_id, ...runsLens(fixtures, { idempotency_key: 'used' }) };
      },
    },
    ...ofOwn,
  },
  // The service role alone gets another answer: stdio.spec.ts covers the other errors.
  start_agent_team_run: {
    good: async (fixtures) => ({ ...(await mine(fixtures)), workflow_id: (await aWorkflow(fixtures.mine.ctx)).id }),
    errors: {
      PERMISSION_DENIED: (fixtures) => ({ ...missing(fixtures), workflow_id: fixtures.missing }),
    },
  },
  cancel_agent_run: {
    good: ({ mine: { ctx } }) => aTeamRun(ctx),
    errors: {
      NOT_FOUND: async (fixtures) => ({ ...(await mine(fixtures)), team_run_id: fixtures.missing }),
      INVALID_TRANSITION: async ({ mine: { ctx } }) => {
        const run = await aTeamRun(ctx);
        await ctx.db.query(`update runs set status = 'timed_out', completed_at = now() where id = $1`, [
          run.team_run_id,
        ]);
        return run;
      },
    },
    names: 'team_run_id',
    hidden: async ({ theirs: { ctx } }) => (await aTeamRun(ctx)).team_run_id,
  },
  create_ai_lenser: {
    good: aName,
    errors: {
      CONFLICT: async ({ theirs: { ctx } }) => ({ ...aName(), handle: (await anAiLenser(ctx)).handle }),
      FORBIDDEN: ({ theirs: { accountId } }) => ({ ...aName(), owner_lenser_id: accountId }),
      BAD_INPUT: () => ({ ...aName(), ai_model_key: 'no-such-model' }),
      THROTTLED: async ({ mine: { ctx } }) => {
        for (let count = 0; count < MAX_AI_LENSERS; count += 1) await anAiLenser(ctx);
        return aName();
      },
    },
  },
  update_ai_lenser: {
    good: async (fixtures) => ({ ...(await mine(fixtures)), patch }),
    errors: {
      NOT_FOUND: (fixtures) => ({ ...missing(fixtures), patch }),
      FORBIDDEN: async (fixtures) => ({ ...(await theirs(fixtures)), patch }),
      BAD_INPUT: async (fixtures) => ({ ...(await mine(fixtures)), patch: { ai_model_key: 'no-such-model' } }),
      CONFLICT: async ({ mine: { ctx } }) => ({ ai_lenser_id: (await anAiLenser(ctx, { archived: true })).id, patch }),
    },
  },
  archive_ai_lenser: {
    good: async (fixtures) => ({ ...(await mine(fixtures)), confirm: true }),
    errors: {
      NOT_FOUND: (fixtures) => ({ ...missing(fixtures), confirm: true }),
      FORBIDDEN: async (fixtures) => ({ ...(await theirs(fixtures)), confirm: true }),
    },
  },
};
