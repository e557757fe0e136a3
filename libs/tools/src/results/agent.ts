import {
  type AgentTool,
  type TeamRun,
  type TeamRunPolicy,
  type TeamRunStatus,
  dateTime,
  flag,
  integer,
  oneOf,
  teamRunPolicies,
  teamRunStatuses,
  text,
  uuid,
} from '@lensforge/contracts';
import { toResult } from './to-result.js';

/** Grants and team runs of AI lensers as tool results. */

export class AgentToolResult {
  @uuid()
  ai_lenser_id!: string;

  @text()
  tool_id!: string;

  @flag({ description: 'False when the tool is refused explicitly.' })
  allowed!: boolean;

  @dateTime()
  assigned_at!: string;

  @dateTime()
  updated_at!: string;
}

export const agentToolResult = (tool: AgentTool): AgentToolResult => toResult(AgentToolResult, tool);

export class TeamRunResult {
  @uuid()
  team_run_id!: string;

  @uuid()
  ai_lenser_id!: string;

  @uuid()
  workflow_id!: string;

  @oneOf(teamRunPolicies)
  policy!: TeamRunPolicy;

  @oneOf(teamRunStatuses, { description: 'blocked while it waits for an approval.' })
  status!: TeamRunStatus;

  @dateTime()
  created_at!: string;

  @dateTime({ nullable: true })
  completed_at!: string | null;

  @integer({ min: 0 })
  spent_credits!: number;
}

export const teamRunResult = (run: TeamRun): TeamRunResult => toResult(TeamRunResult, run, { team_run_id: run.id });
