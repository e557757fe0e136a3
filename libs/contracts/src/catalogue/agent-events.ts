import { dateTime, flag, integer, oneOf, text, uuid } from '../schema/field.js';
import {
  type ActionResult,
  type ActionVerdict,
  type AgentAction,
  type TeamRunStatus,
  actionResults,
  actionVerdicts,
  agentActions,
  teamRunStatuses,
} from '../resources/agent-actions.js';
import type { Shape } from '../schema/rules.js';

export class AgentToolAssigned {
  @text()
  toolId!: string;

  @flag({ description: 'False when the tool is refused explicitly.' })
  allowed!: boolean;
}

export class AgentToolRevoked {
  @text()
  toolId!: string;
}

export class AgentToolSuspended {
  @text()
  toolId!: string;

  @oneOf(['changed'], { description: 'changed: its server describes it in another way than when it was granted.' })
  reason!: 'changed';
}

export class AgentActionDecided {
  @uuid()
  actionId!: string;

  @oneOf(agentActions)
  action!: AgentAction;

  @oneOf(actionVerdicts)
  verdict!: ActionVerdict;

  @oneOf(actionResults)
  result!: ActionResult;

  @text({ optional: true, description: 'The reason of a result other than success.' })
  reason?: string;
}

export class AgentApprovalRequested {
  @uuid()
  approvalId!: string;

  @oneOf(agentActions)
  action!: AgentAction;

  @dateTime()
  expiresAt!: string;
}

export class AgentApprovalDecided {
  @uuid()
  approvalId!: string;

  @oneOf(agentActions)
  action!: AgentAction;

  @oneOf(['approved', 'denied'])
  status!: 'approved' | 'denied';

  @oneOf(actionResults, { optional: true, description: 'The result of an approved action.' })
  result?: ActionResult;

  @text({ optional: true, description: 'The reason of a result other than success.' })
  reason?: string;
}

export class AgentToolDecided {
  @text()
  toolId!: string;

  @oneOf(actionVerdicts)
  verdict!: ActionVerdict;

  @text({ optional: true, description: 'The reason of a verdict other than allow.' })
  reason?: string;
}

export class AgentRunStarted {
  @oneOf(['action', 'team'])
  kind!: 'action' | 'team';

  @oneOf(teamRunStatuses, { description: 'blocked while a manual team run waits for the owner.' })
  status!: TeamRunStatus;
}

export class AgentRunApproved {
  @integer({ min: 0, description: 'The milliseconds for which the run waited.' })
  waitedMs!: number;
}

export class AgentRunEnded {
  @oneOf(teamRunStatuses)
  status!: TeamRunStatus;
}

export class AgentArchived {
  @integer({ min: 0, description: 'The number of runs that it canceled.' })
  canceledRuns!: number;
}

/** The events of an AI lenser, with the classes of their payloads. */
export const agentEvents = {
  'tool.assigned': AgentToolAssigned,
  'tool.revoked': AgentToolRevoked,
  'tool.suspended': AgentToolSuspended,
  'tool.decided': AgentToolDecided,
  'action.decided': AgentActionDecided,
  'approval.requested': AgentApprovalRequested,
  'approval.decided': AgentApprovalDecided,
  'run.started': AgentRunStarted,
  'run.approved': AgentRunApproved,
  'run.ended': AgentRunEnded,
  'agent.archived': AgentArchived,
} as const satisfies Record<string, Shape>;

export type AgentEventType = keyof typeof agentEvents;

/** An event before it has its sequence number. */
export type NewAgentEvent = {
  [T in AgentEventType]: { type: T; payload: InstanceType<(typeof agentEvents)[T]> };
}[AgentEventType];

/** The pub/sub channel of an AI lenser: the number of its last event, published after its commit. */
export const agentChannel = (agentId: string): string => `agent:${agentId}`;
