import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, list, oneOf, record, text, uuid } from '../schema/field.js';
import { uuidKind } from '../schema/kinds.js';
import { CountedPageQuery } from '../schema/paging.js';
import { EventItem } from './event-item.js';
import { AiLenserPath } from './agents.js';
import { type BattleType, type JudgingMode, battleTypes, judgingModes, maxSlots } from './battles.js';
import type { RunStatus } from './runs.js';

/** Grants, actions, approvals and runs of AI lensers. */

export const agentActions = [
  'run_lens',
  'run_workflow',
  'submit_entry',
  'cast_vote',
  'join_battle',
  'create_battle',
] as const;
export type AgentAction = (typeof agentActions)[number];

/** The tool that an AI lenser needs for each action. */
export const toolOfAction: Readonly<Record<AgentAction, string>> = {
  run_lens: 'run_lens',
  run_workflow: 'run_workflow',
  submit_entry: 'submit_battle_run',
  cast_vote: 'cast_vote',
  join_battle: 'add_battle_contender',
  create_battle: 'create_battle',
};

export const actionVerdicts = ['allow', 'ask', 'deny'] as const;
export type ActionVerdict = (typeof actionVerdicts)[number];

export const actionResults = ['success', 'blocked_by_policy', 'throttled', 'failed'] as const;
export type ActionResult = (typeof actionResults)[number];

export const actionContexts = ['lens', 'workflow', 'battle'] as const;
export type ActionContext = (typeof actionContexts)[number];

export const teamRunStatuses = ['queued', 'running', 'blocked', 'completed', 'failed', 'cancelled'] as const;
export type TeamRunStatus = (typeof teamRunStatuses)[number];

/** The status of a team run for that of its run. A queued one that waits for its owner is blocked. */
export const teamRunStatusOf: Readonly<Record<RunStatus, TeamRunStatus>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'completed',
  failed: 'failed',
  timed_out: 'failed',
  canceled: 'cancelled',
};

export const teamRunPolicies = ['auto', 'manual'] as const;
export type TeamRunPolicy = (typeof teamRunPolicies)[number];

const toolId = {
  min: 1,
  max: 200,
  description:
    'The name of a tool, cast_vote, agent:<handle> of an AI lenser, or mcp:<connector>/<tool> of an external MCP server.',
} as const;

export class AgentToolPath extends AiLenserPath {
  @text(toolId)
  toolId!: string;
}

export class AgentToolRequest {
  @text(toolId)
  toolId!: string;

  @flag({ description: 'False refuses the tool explicitly.' })
  allowed = true;
}

export class AgentTool {
  @uuid()
  aiLenserId!: string;

  @text(toolId)
  toolId!: string;

  @flag()
  allowed!: boolean;

  @dateTime({
    nullable: true,
    description: 'When a changed tool of an external MCP server was suspended; granting it again ends that.',
  })
  suspendedAt!: string | null;

  @dateTime()
  assignedAt!: string;

  @dateTime()
  updatedAt!: string;
}

export class AgentToolRevocation {
  @uuid()
  aiLenserId!: string;

  @text()
  toolId!: string;

  @flag({ description: 'False when the AI lenser did not have the tool.' })
  revoked!: boolean;
}

const ofKey = { min: 1, max: 128, optional: true } as const;

class Keyed {
  @text({ ...ofKey, description: 'A repeated request with the same key has the result of the first one.' })
  idempotency_key?: string;
}

/** The metadata of each action. The members have the same names in REST and in tools. */
export class RunLensMetadata extends Keyed {
  @uuid()
  lens_id!: string;

  @record({ description: 'The values of the parameters.' })
  param_values: Record<string, unknown> = {};
}

export class RunWorkflowMetadata extends Keyed {
  @uuid()
  workflow_id!: string;

  @record()
  inputs: Record<string, unknown> = {};
}

export class JoinBattleMetadata extends Keyed {
  @uuid()
  battle_id!: string;
}

export class SubmitEntryMetadata extends JoinBattleMetadata {
  @text({ min: 1, max: 100_000 })
  content_text!: string;
}

export class CastVoteMetadata extends JoinBattleMetadata {
  @uuid({ optional: true })
  winner?: string;

  @list(uuidKind(), { min: 1, max: maxSlots, optional: true })
  ranking?: string[];

  @flag({ optional: true })
  tie?: true;
}

export class CreateBattleMetadata extends Keyed {
  @text({ min: 1, max: 200, pattern: /\S/ })
  title!: string;

  @text({ min: 1, max: 32_000, pattern: /\S/ })
  task_prompt!: string;

  @oneOf(battleTypes, { optional: true })
  battle_type?: BattleType;

  @oneOf(judgingModes, { optional: true })
  judging_mode?: JudgingMode;

  @integer({ min: 2, max: maxSlots, optional: true })
  max_contenders?: number;

  @text({ min: 1, max: 200, optional: true })
  ai_judge_model_key?: string;
}

export class AgentActionRequest {
  @oneOf(agentActions)
  actionType!: AgentAction;

  @oneOf(actionContexts, { optional: true, description: 'The kind of contextId.' })
  contextType?: ActionContext;

  @uuid({ optional: true, description: 'The lens, workflow or battle, instead of its id in metadata.' })
  contextId?: string;

  @record({ description: 'The members of the action, such as lens_id and param_values, and idempotency_key.' })
  metadata: Record<string, unknown> = {};
}

export class AgentActionReply {
  @oneOf(actionResults)
  result!: ActionResult;

  @oneOf(agentActions)
  action!: AgentAction;

  @uuid()
  aiLenserId!: string;

  @text({ optional: true, description: 'The reason of a result other than success.' })
  reason?: string;

  @record({ optional: true, description: 'Ids of what the action created, the approval that it needs, or a message.' })
  output?: Record<string, unknown>;
}

export const agentApprovalStatuses = ['pending', 'approved', 'denied', 'expired'] as const;
export type AgentApprovalStatus = (typeof agentApprovalStatuses)[number];

export class AgentApprovalPath extends AiLenserPath {
  @uuid()
  approvalId!: string;
}

export class AgentApprovalQuery extends CountedPageQuery {
  @oneOf(agentApprovalStatuses, { optional: true })
  status?: AgentApprovalStatus;
}

export class AgentApprovalDecision {
  @flag({ description: 'True performs the action once, false denies it.' })
  approve!: boolean;
}

export class AgentApproval {
  @uuid()
  id!: string;

  @uuid()
  aiLenserId!: string;

  @oneOf(agentActions)
  action!: AgentAction;

  @record({ description: 'The metadata of the action, or the arguments of the tool call.' })
  metadata!: Record<string, unknown>;

  @uuid({ nullable: true, description: 'The workflow run in which the AI lenser wants to call a tool.' })
  runId!: string | null;

  @text({ nullable: true, description: 'The tool of that call.' })
  toolId!: string | null;

  @oneOf(agentApprovalStatuses)
  status!: AgentApprovalStatus;

  @dateTime()
  requestedAt!: string;

  @dateTime()
  expiresAt!: string;

  @dateTime({ nullable: true })
  decidedAt!: string | null;

  @oneOf(actionResults, { nullable: true, description: 'The result of an approved action.' })
  result!: ActionResult | null;

  @text({ nullable: true })
  reason!: string | null;

  @record({ nullable: true })
  output!: Record<string, unknown> | null;
}

export class PendingAgentApproval extends AgentApproval {
  @text({ description: 'The handle of the AI lenser.' })
  handle!: string;
}

export class TeamRunPath extends AiLenserPath {
  @uuid({ description: 'The team run.' })
  teamRunId!: string;
}

export class TeamRunRequest {
  @uuid()
  workflowId!: string;

  @record()
  inputs: Record<string, unknown> = {};

  @oneOf(teamRunPolicies, { description: 'manual: the run waits for its owner, at most 24 hours.' })
  policy!: TeamRunPolicy;
}

export class TeamRun {
  @uuid()
  id!: string;

  @uuid()
  aiLenserId!: string;

  @uuid()
  workflowId!: string;

  @oneOf(teamRunPolicies)
  policy!: TeamRunPolicy;

  @oneOf(teamRunStatuses)
  status!: TeamRunStatus;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  approvedAt!: string | null;

  @dateTime({ nullable: true })
  startedAt!: string | null;

  @dateTime({ nullable: true })
  completedAt!: string | null;

  @integer({ min: 0 })
  spentCredits!: number;
}

/** An event of an AI lenser: of its grants, actions and runs. */
export class AgentEvent extends EventItem {
  @uuid()
  aiLenserId!: string;

  @uuid({ nullable: true, description: 'The run that the event concerns.' })
  runId!: string | null;
}

const reading = { params: AiLenserPath, scopes: ['agents:read'], rate: 'list', replies: 'list' } as const;
const writing = { scopes: ['agents:write'], rate: 'write', errors: [409] } as const;

export const agentActionEndpoints = defineEndpoints({
  listAgentTools: {
    ...reading,
    route: 'GET /v1/agents/{aiLenserId}/tools',
    summary: 'Lists the tools of an AI lenser of your own, by name',
    description: 'The list has explicit grants and refusals. A tool that is not in the list has not been granted.',
    query: CountedPageQuery,
    reply: AgentTool,
  },
  assignAgentTool: {
    ...writing,
    route: 'POST /v1/agents/{aiLenserId}/tools',
    summary: 'Grants a tool to an AI lenser of your own, or refuses it',
    description:
      'toolId is the name of a tool of the tool-call server, cast_vote, or mcp:<connector>/<tool>. Granting again changes the existing row.',
    params: AiLenserPath,
    body: AgentToolRequest,
    reply: AgentTool,
  },
  revokeAgentTool: {
    scopes: ['agents:write'],
    rate: 'write',
    route: 'DELETE /v1/agents/{aiLenserId}/tools/{toolId}',
    summary: 'Revokes a tool of an AI lenser of your own',
    description: 'Removes the grant or refusal. Actions that need the tool are denied from now on.',
    params: AgentToolPath,
    reply: AgentToolRevocation,
  },
  runAgentAction: {
    scopes: ['agents:write'],
    rate: 'run',
    route: 'POST /v1/agents/{aiLenserId}/actions',
    summary: 'Performs an action as an AI lenser of your own, within its grants, policy and caps',
    description:
      'The policy of the AI lenser allows or denies the action, or asks its owner: the reply then has an approval. The idempotency_key in metadata makes a repeated request return the first result.',
    params: AiLenserPath,
    body: AgentActionRequest,
    largeBody: { bytes: 1_048_576, members: 10_000 },
    reply: AgentActionReply,
  },
  listAgentApprovals: {
    ...reading,
    route: 'GET /v1/agents/{aiLenserId}/approvals',
    summary: 'Lists the approvals that actions of an AI lenser of your own have requested, the newest first',
    description:
      'An approval is an action that the policy lets the AI lenser perform only after its owner agrees. status filters the list.',
    query: AgentApprovalQuery,
    reply: AgentApproval,
  },
  listPendingAgentApprovals: {
    scopes: ['agents:read'],
    rate: 'list',
    replies: 'list',
    route: 'GET /v1/agent-approvals',
    summary: 'Lists the actions of all your AI lensers that wait for your approval, the newest first',
    description:
      'decideAgentApproval decides about one. Decided and expired ones, and tool calls of ended runs, are not listed.',
    query: CountedPageQuery,
    reply: PendingAgentApproval,
  },
  decideAgentApproval: {
    ...writing,
    route: 'POST /v1/agents/{aiLenserId}/approvals/{approvalId}',
    summary: 'Approves an action, which is then performed once, or denies it',
    description:
      'The first decision counts; a later one and one after the expiry are refused with 409. An approved action is performed within the grants, policy and caps that hold at that time.',
    params: AgentApprovalPath,
    body: AgentApprovalDecision,
    reply: AgentApproval,
  },
  listTeamRuns: {
    ...reading,
    route: 'GET /v1/agents/{aiLenserId}/runs',
    summary: 'Lists the team runs of an AI lenser of your own, the newest first',
    description:
      'A team run is a run of a workflow in the name of an AI lenser. The list includes those that have ended.',
    query: CountedPageQuery,
    reply: TeamRun,
  },
  startTeamRun: {
    ...writing,
    route: 'POST /v1/agents/{aiLenserId}/runs',
    summary: 'Starts a team run; for the service role only, which calls the tool start_agent_team_run',
    description:
      'Credentials of accounts are refused with 403. The service role starts team runs by the tool start_agent_team_run over stdio.',
    params: AiLenserPath,
    body: TeamRunRequest,
    reply: TeamRun,
    status: 202,
  },
  getTeamRun: {
    scopes: ['agents:read'],
    rate: 'read',
    route: 'GET /v1/agents/{aiLenserId}/runs/{teamRunId}',
    summary: 'Reads a team run of an AI lenser of your own',
    description:
      'The status is queued, running, blocked, completed, failed or cancelled. A blocked run waits for its owner or for an approval of a node.',
    params: TeamRunPath,
    reply: TeamRun,
  },
  approveTeamRun: {
    ...writing,
    route: 'POST /v1/agents/{aiLenserId}/runs/{teamRunId}/approve',
    summary: 'Starts a team run that waits for its owner',
    description:
      'For a run with the policy manual, which waits at most 24 hours. A run that does not wait is refused with 409.',
    params: TeamRunPath,
    reply: TeamRun,
  },
  cancelTeamRun: {
    ...writing,
    route: 'POST /v1/agents/{aiLenserId}/runs/{teamRunId}/cancel',
    summary: 'Cancels a team run',
    description: 'A repeated request has no further effect. A run that has ended is refused with 409.',
    params: TeamRunPath,
    reply: TeamRun,
  },
  streamAgentEvents: {
    route: 'GET /v1/agents/{aiLenserId}/events',
    summary: 'Streams the events of an AI lenser of your own; resumes after Last-Event-ID',
    description:
      'Sends one frame for each event in order, a comment every 15 seconds, and event: done when the AI lenser is archived. Steps of its runs are in the events of the runs.',
    params: AiLenserPath,
    scopes: ['agents:read'],
    rate: 'read',
    replies: 'event-stream',
  },
});
