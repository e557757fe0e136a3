import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, json, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { PageQuery, ShortListQuery } from '../schema/paging.js';
import { RequiredAction, RunPath, runWriteScopes } from './runs.js';

export const nodeStatuses = [
  'pending',
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'skipped',
  'canceled',
  'timed_out',
] as const;
export type NodeStatus = (typeof nodeStatuses)[number];

const terminalNodes: readonly NodeStatus[] = ['succeeded', 'failed', 'skipped', 'canceled', 'timed_out'];

export const isTerminalNode = (status: NodeStatus): boolean => terminalNodes.includes(status);

export class RunNodesQuery extends PageQuery {
  @oneOf(nodeStatuses, { optional: true })
  status?: NodeStatus;
}

export class NodeError {
  @text()
  code!: string;

  @text()
  message!: string;
}

/** A node that the run has reached; lists omit the others. */
export class RunNodeItem {
  @text()
  nodeId!: string;

  @text({ description: 'The id of the node, or its path in a map, such as each[3].summary.' })
  nodeKey!: string;

  @text()
  type!: string;

  @oneOf(nodeStatuses)
  status!: NodeStatus;

  @integer({ min: 0, description: 'The number of claims by workers.' })
  attempt!: number;

  @json({ nullable: true })
  input!: unknown;

  @json({ nullable: true })
  output!: unknown;

  @nested(() => NodeError, { nullable: true })
  error!: NodeError | null;

  @integer({ min: 0 })
  tokensUsed!: number;

  @integer({ min: 0 })
  costCredits!: number;

  @dateTime({ nullable: true })
  startedAt!: string | null;

  @dateTime({ nullable: true })
  completedAt!: string | null;
}

export const approvalStatuses = ['pending', 'approved', 'rejected', 'expired'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

export class RunApproval {
  @uuid()
  id!: string;

  @uuid()
  runId!: string;

  @text()
  nodeKey!: string;

  @text({ max: 10_000, description: 'The question for the approver.' })
  message!: string;

  @json({ nullable: true, description: 'The data to approve; after the approval, with the changes of the approver.' })
  data!: unknown;

  @oneOf(approvalStatuses)
  status!: ApprovalStatus;

  @text({ nullable: true })
  comment!: string | null;

  @uuid({ nullable: true })
  answeredBy!: string | null;

  @dateTime()
  requestedAt!: string;

  @dateTime()
  expiresAt!: string;

  @dateTime({ nullable: true })
  answeredAt!: string | null;
}

/** An approval that waits for its answer, with the workflow of its run. */
export class PendingApproval extends RunApproval {
  @uuid()
  workflowId!: string;

  @text({ nullable: true, description: 'The title of the workflow; null after it was deleted.' })
  workflowTitle!: string | null;
}

export class RunApprovalPath extends RunPath {
  @uuid({ description: 'The approval.', idOf: 'approval' })
  approvalId!: string;
}

export class ApprovalAnswer {
  @oneOf(['approve', 'reject'])
  decision!: 'approve' | 'reject';

  @json({ optional: true, description: 'The data that replaces that of the approval.' })
  data?: unknown;

  @text({ max: 2000, optional: true })
  comment?: string;
}

/** The longest result of a tool, as JSON. */
export const maxToolResult = 100_000;

export class ToolResult {
  @uuid({ description: 'A call of requiredAction.' })
  callId!: string;

  @json({ optional: true, description: 'The result: any JSON, of at most 100,000 characters; this or error.' })
  output?: unknown;

  @text({ min: 1, max: 10_000, optional: true, description: 'The reason why there is no result; the model reads it.' })
  error?: string;
}

export class ToolResults {
  @list(nestedKind(() => ToolResult), { min: 1, max: 100 })
  results!: ToolResult[];
}

export class ToolResultsAccepted {
  @uuid()
  runId!: string;

  @nested(() => RequiredAction, { nullable: true, description: 'The calls that still wait.' })
  requiredAction!: RequiredAction | null;
}

export class RunNodePath extends RunPath {
  @text({ min: 1, max: 500, description: 'The key of the node.' })
  nodeKey!: string;
}

export class WaitUrl {
  @text({ max: 2000, description: 'A callback URL for one call. It is shown only now; a new one replaces it.' })
  url!: string;

  @dateTime()
  expiresAt!: string;
}

export class WaitPath {
  @text({ min: 1, max: 100, description: 'The secret in the callback URL.' })
  token!: string;
}

export class WaitAnswered {
  @flag()
  received!: boolean;
}

export const runNodeEndpoints = defineEndpoints({
  listRunNodes: {
    route: 'GET /v1/runs/{runId}/nodes',
    summary: 'Lists the nodes of a workflow run: status, input, output and error',
    description:
      'Lists the nodes that the run has reached. The nodes of a map have paths such as each[3].summary as their keys.',
    params: RunPath,
    query: RunNodesQuery,
    reply: RunNodeItem,
    scopes: ['workflows:read'],
    rate: 'read',
    replies: 'list',
  },
  listRunApprovals: {
    route: 'GET /v1/runs/{runId}/approvals',
    summary: 'Lists the approvals that a run has requested, the newest first',
    description:
      'An approval is a question of a workflow node that waits for a person. The list includes answered and expired ones.',
    params: RunPath,
    query: ShortListQuery,
    reply: RunApproval,
    scopes: ['workflows:read'],
    rate: 'read',
    replies: 'list',
  },
  listPendingApprovals: {
    route: 'GET /v1/approvals',
    summary: 'Lists the approvals of all your runs that wait for an answer, the newest first',
    description:
      'Each one has its run and its workflow; answerRunApproval answers it. Answered and expired ones, and those of ended runs, are not listed.',
    query: ShortListQuery,
    reply: PendingApproval,
    scopes: ['workflows:read'],
    rate: 'list',
    replies: 'list',
  },
  answerRunApproval: {
    route: 'POST /v1/runs/{runId}/approvals/{approvalId}',
    summary: 'Approves or rejects; the first answer decides',
    description:
      'The owner of the run answers. data replaces the data of the approval before later nodes read it. An answered or expired approval is refused with 409.',
    params: RunApprovalPath,
    body: ApprovalAnswer,
    reply: RunApproval,
    scopes: ['workflows:write'],
    rate: 'write',
    errors: [409],
  },
  answerToolCalls: {
    route: 'POST /v1/runs/{runId}/tool-results',
    summary: 'Gives a run the results of the tools that its caller performs',
    description:
      'For the calls in requiredAction of the run. All results are stored or none. The first result of a call counts: the same one again changes nothing, another one is refused with 409, as for a call that has expired and a run that has ended. The run continues when no call waits any more.',
    params: RunPath,
    body: ToolResults,
    reply: ToolResultsAccepted,
    repeatable: true,
    scopes: runWriteScopes,
    rate: 'write',
    errors: [409],
  },
  createWaitUrl: {
    route: 'POST /v1/runs/{runId}/nodes/{nodeKey}/url',
    summary: 'Creates a callback URL; its first call completes a waiting node',
    description:
      'For a node of the type webhook_wait. The URL has a secret and needs no other credential; a new one replaces the previous. A node that does not wait is refused with 409.',
    params: RunNodePath,
    reply: WaitUrl,
    status: 201,
    scopes: ['workflows:write'],
    rate: 'write',
    errors: [409],
  },
  answerWait: {
    route: 'POST /v1/waits/{token}',
    summary: 'Completes a waiting node; the JSON of the call is its output',
    description:
      'The secret in the path authenticates the call. It works once; a later call is refused with 409. The body can be any JSON.',
    params: WaitPath,
    rawBody: true,
    reply: WaitAnswered,
    status: 202,
    scopes: [],
    rate: 'incoming',
    errors: [409],
  },
});
