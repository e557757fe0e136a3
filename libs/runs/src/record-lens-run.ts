import type { RecordRun } from '@lensforge/lenses';
import { acceptWorkflowRun } from './accept-workflow-run.js';
import { leaveToRelay } from './leave-to-relay.js';

/** Follows a prompt that a caller carries out through a workflow: a run of it, with the values of the prompt as inputs. */
export const recordLensRun: RecordRun = async (ctx, { workflowId, lensId, lensVersionId, params }) => {
  const cause = { kind: 'lens', lensId, lensVersionId };
  const accepted = await acceptWorkflowRun(ctx, { workflowId, inputs: { ...params }, cause });
  await leaveToRelay(ctx, accepted);
  return { runId: accepted.runId };
};
