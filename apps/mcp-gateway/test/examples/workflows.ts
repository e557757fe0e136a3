import type { Context } from '@lensforge/core';
import { acceptWorkflowRun } from '@lensforge/runs';
import { aWorkflow } from '@lensforge/workflows/testing';
import type { Example, Fixtures } from './fixtures.js';

const asking = {
  nodes: [],
  inputs: { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } },
};

async function aRun(ctx: Context, status: 'queued' | 'canceled' = 'canceled'): Promise<{ run_id: string }> {
  const { id: workflowId } = await aWorkflow(ctx);
  const { runId } = await acceptWorkflowRun(ctx, { workflowId, inputs: {} });
  if (status === 'canceled') {
    await ctx.db.query(`update runs set status = 'canceled', completed_at = now() where id = $1`, [runId]);
  }
  return { run_id: runId };
}

const mine = async ({ mine: { ctx } }: Fixtures) => ({
  workflow_id: (await aWorkflow(ctx, { visibility: 'public' })).id,
});
const theirs = async ({ theirs: { ctx } }: Fixtures) => (await aWorkflow(ctx)).id;
const missing = ({ missing: workflow_id }: Fixtures) => ({ workflow_id });
const myRun = ({ mine: { ctx } }: Fixtures) => aRun(ctx);
const theirRun = async ({ theirs: { ctx } }: Fixtures) => (await aRun(ctx)).run_id;
const missingRun = ({ missing: run_id }: Fixtures) => ({ run_id });
const ofRun = { good: myRun, errors: { NOT_FOUND: missingRun }, names: 'run_id', hidden: theirRun };

export const workflowExamples: Record<string, Example> = {
  list_workflows: { good: () => ({}), errors: {} },
  get_workflow: { good: mine, errors: { NOT_FOUND: missing }, names: 'workflow_id', hidden: theirs },
  get_workflow_run_status: ofRun,
  get_workflow_run_logs: ofRun,
  summarize_workflow: ofRun,
  create_workflow: {
    good: () => ({ title: 'Weekly digest' }),
    errors: { FORBIDDEN: (fixtures) => ({ title: 'Weekly digest', lenser_id: fixtures.theirs.accountId }) },
  },
  run_workflow: {
    good: mine,
    errors: {
      NOT_FOUND: missing,
      BAD_INPUT: async ({ mine: { ctx } }) => ({ workflow_id: (await aWorkflow(ctx, { graph: asking })).id }),
    },
    names: 'workflow_id',
    hidden: theirs,
  },
  retry_workflow: {
    ...ofRun,
    errors: { NOT_FOUND: missingRun, INVALID_TRANSITION: ({ mine: { ctx } }) => aRun(ctx, 'queued') },
  },
};
