import { startTeamRun } from '@lensforge/agents';
import { type TeamRunPolicy, oneOf, record, teamRunPolicies } from '@lensforge/contracts';
import { aiLenserId, workflowId } from '../../parameters.js';
import { TeamRunResult, teamRunResult } from '../../results/agent.js';
import { tool } from '../../tool.js';

class Args {
  @aiLenserId()
  ai_lenser_id!: string;

  @workflowId()
  workflow_id!: string;

  @record({ description: 'The inputs of the workflow: see inputs in the graph of get_workflow.' })
  inputs: Record<string, unknown> = {};

  @oneOf(teamRunPolicies, { description: 'manual: the run waits for its owner, at most 24 hours.' })
  policy: TeamRunPolicy = 'auto';
}

export const startAgentTeamRunTool = tool({
  name: 'start_agent_team_run',
  class: 'Execute',
  rate: 'write',
  title: 'Start a team run',
  description:
    'Starts a workflow as a team run of an AI lenser, with the rights and credits of its owner. For the service role ' +
    'only: every token over HTTP gets PERMISSION_DENIED, and should use run_agent_action or run_workflow. An AI lenser ' +
    'has a number of team runs a day. Follow one with list_agent_run_events, and end it with cancel_agent_run.',
  scope: 'agents:write',
  args: Args,
  result: TeamRunResult,
  errors: ['PERMISSION_DENIED', 'THROTTLED', 'NOT_FOUND', 'BAD_INPUT', 'CONFLICT'],
  toRunId: ({ team_run_id }) => team_run_id,
  run: async (ctx, args) =>
    teamRunResult(
      await startTeamRun(ctx, {
        agentId: args.ai_lenser_id,
        workflowId: args.workflow_id,
        inputs: args.inputs,
        policy: args.policy,
      }),
    ),
});
