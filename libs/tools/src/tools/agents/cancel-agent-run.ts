import { cancelTeamRun } from '@lensforge/agents';
import { uuid } from '@lensforge/contracts';
import { aiLenserId } from '../../parameters.js';
import { TeamRunResult, teamRunResult } from '../../results/agent.js';
import { tool } from '../../tool.js';

class Args {
  @uuid({ description: 'The id of the team run, as list_agent_run_events gives it.' })
  team_run_id!: string;

  @aiLenserId()
  ai_lenser_id!: string;
}

export const cancelAgentRunTool = tool({
  name: 'cancel_agent_run',
  class: 'Destructive',
  rate: 'write',
  title: 'Cancel a team run',
  description:
    'Cancels a team run of an AI lenser of yours that has not ended: a queued, running or blocked one. Ask the user first. ' +
    'A repeated call changes nothing; a run that has completed or failed is INVALID_TRANSITION. To find runs, use ' +
    'list_agent_run_events.',
  scope: 'agents:write',
  args: Args,
  result: TeamRunResult,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: async (ctx, args) =>
    teamRunResult(await cancelTeamRun(ctx, { agentId: args.ai_lenser_id, runId: args.team_run_id })),
});
