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

export const agentToolResult = (tool: AgentTool): AgentToolResult => ({
  ai_lenser_id: tool.aiLenserId,
  tool_id: tool.toolId,
  allowed: tool.allowed,
  assigned_at: tool.assignedAt,
  updated_at: tool.updatedAt,
});

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

export const teamRunResult = (run: TeamRun): TeamRunResult => ({
  team_run_id: run.id,
  ai_lenser_id: run.aiLenserId,
  workflow_id: run.workflowId,
  policy: run.policy,
  status: run.status,
  created_at: run.createdAt,
  completed_at: run.completedAt,
  spent_credits: run.spentCredits,
});

/** An object with the names of its members in snake_case, also inside of lists and objects. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      inSnakeCase(member),
    ]),
  );
}
