import { dateTime, integer, json, list, nested, nestedKind, oneOf, text, uuid } from '@lensforge/contracts';
import { listNodeResults, readWorkflowRun, toolNodeStatus, toolNodeStatuses, toolRunStatus } from '@lensforge/runs';
import { runId } from '../../parameters.js';
import { CostResult, toCostResult, runStatus } from '../../results/workflow.js';
import { toResult } from '../../results/to-result.js';
import { tool } from '../../tool.js';

class Args {
  @runId()
  run_id!: string;
}

class RunResult {
  @uuid()
  id!: string;

  @runStatus()
  status!: string;

  @nested(() => CostResult)
  cost_metadata!: CostResult;
}

class NodeResult {
  @text({ description: 'Within a map, the path to it.' })
  node_id!: string;

  @oneOf(toolNodeStatuses)
  status!: string;

  @json()
  output!: unknown;

  @integer({ min: 0 })
  tokens_used!: number;

  @integer({ min: 0 })
  cost_credits!: number;

  @dateTime({ nullable: true })
  started_at!: string | null;

  @dateTime({ nullable: true })
  completed_at!: string | null;
}

class Result {
  @nested(() => RunResult)
  run!: RunResult;

  @list(nestedKind(() => NodeResult), { max: 1_000_000 })
  node_results!: NodeResult[];
}

export const getWorkflowRunLogsTool = tool({
  name: 'get_workflow_run_logs',
  class: 'Read',
  rate: 'read',
  title: 'Logs of a workflow run',
  description:
    'Lists the nodes of a workflow run in the order in which they started, each with its output, cost and times. Use it ' +
    'to read results or to find the node that failed. When counts are enough, use summarize_workflow; while the run is ' +
    'running, get_workflow_run_status is lighter.',
  scope: 'workflows:read',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND'],
  run: async (ctx, { run_id }) => {
    const run = await readWorkflowRun(ctx, run_id);
    const nodes = await listNodeResults(ctx, run_id);
    return {
      run: { id: run.id, status: toolRunStatus[run.status], cost_metadata: toCostResult(run) },
      node_results: nodes.map((node) => toResult(NodeResult, node, { status: toolNodeStatus[node.status] })),
    };
  },
});
