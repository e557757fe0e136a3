import { dateTime, flag, integer, json, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { type ArtifactKind, type RunStatus, artifactKinds, runKinds } from '../resources/runs.js';
import { TokenDetails } from '../resources/token-details.js';
import type { Shape } from '../schema/rules.js';

export class RunQueued {
  @text({ description: runKinds.join(', ') })
  kind!: string;

  @integer({ min: 0, description: 'Always 0: a run that is queued again has the event run.retrying.' })
  generation!: number;
}

export class RunStarted {
  @integer({ min: 1, description: 'The number of the attempt.' })
  attempt!: number;
}

export class RunProgress {
  @integer({ min: 0, max: 100 })
  percent!: number;

  @text({ optional: true })
  message?: string;
}

export class RunRetrying {
  @text()
  reason!: string;

  @integer({ min: 0 })
  delayMs!: number;
}

export class RunSucceeded {
  @integer({ min: 0 })
  latencyMs!: number;

  @integer({ min: 0, nullable: true })
  tokenInput!: number | null;

  @integer({ min: 0, nullable: true })
  tokenOutput!: number | null;

  @nested(() => TokenDetails, { optional: true, description: 'Absent when providers report none.' })
  tokenDetails?: TokenDetails;

  @integer({ min: 0 })
  creditCost!: number;
}

export class RunFailed {
  @text()
  errorCode!: string;

  @text()
  errorMessage!: string;
}

export class RunEnded {
  @text({ optional: true })
  reason?: string;
}

export class NodeRef {
  @text()
  nodeId!: string;

  @text({ optional: true, description: 'The path of a node in a map, such as each[3].summary.' })
  nodeKey?: string;
}

class CallOfTool {
  @uuid()
  callId!: string;

  @text({ description: 'The tool.' })
  name!: string;

  @json({ optional: true, description: 'Its arguments; absent when their JSON is longer than 16,384 characters.' })
  input?: unknown;
}

export class RunRequiresAction extends NodeRef {
  @list(nestedKind(() => CallOfTool))
  calls!: CallOfTool[];

  @dateTime({ description: 'The time until which the results are awaited.' })
  expiresAt!: string;
}

export class NodeWaiting extends NodeRef {
  @text({ description: 'The type of the node, which says what it waits for.' })
  type!: string;

  @dateTime({ optional: true, description: 'The time at which it stops waiting.' })
  until?: string;
}

export class NodeStarted extends NodeRef {
  @integer({ min: 1, description: 'The number of the attempt.' })
  attempt!: number;
}

export class NodeRetrying extends NodeRef {
  @text()
  reason!: string;

  @integer({ min: 0 })
  delayMs!: number;
}

export class NodeOutputDelta extends NodeRef {
  @integer({
    min: 1,
    optional: true,
    description: 'The number of the answer of a lens with tools, which may say something before its calls.',
  })
  step?: number;

  @text({ max: 10_000_000 })
  text!: string;
}

export class NodeSucceeded extends NodeRef {
  @json({ optional: true })
  output?: unknown;
}

export class NodeFailed extends NodeRef {
  @text()
  errorCode!: string;

  @text()
  errorMessage!: string;
}

export class ArtifactCreated {
  @uuid()
  artifactId!: string;

  @oneOf(artifactKinds)
  artifactKind!: ArtifactKind;

  @flag()
  isPrimaryOutput!: boolean;
}

export class CreditsMoved {
  @integer({ min: 0 })
  amount!: number;
}

export class ApprovalRequested extends NodeRef {
  @uuid()
  approvalId!: string;

  @text({ optional: true })
  message?: string;
}

export class ApprovalResolved extends NodeRef {
  @oneOf(['approved', 'rejected', 'expired'])
  decision!: 'approved' | 'rejected' | 'expired';
}

export class JudgingProgress {
  @integer({ min: 0, description: 'The number of judgements that are made.' })
  judged!: number;

  @integer({ min: 0, description: 'The number of judgements that the battle needs.' })
  total!: number;
}

class OfAgent extends NodeRef {
  @text({
    optional: true,
    description:
      'The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks.',
  })
  path?: string;

  @integer({ min: 1, description: 'The number of the step, a request to the model with the tool calls in its answer.' })
  step!: number;
}

export class AgentThought extends OfAgent {
  @text({ max: 10_000_000 })
  text!: string;
}

export class AgentStepDone extends OfAgent {
  @text({ description: 'The handle of the agent, judge, or lens for a lens with tools.' })
  agent!: string;

  @text({ max: 10_000_000, description: 'The text of the model; the answer, when it has no tool calls.' })
  text!: string;

  @integer({ min: 0 })
  toolCalls!: number;

  @integer({ min: 0 })
  tokenInput!: number;

  @integer({ min: 0 })
  tokenOutput!: number;

  @nested(() => TokenDetails, { optional: true, description: 'Absent when the provider reports none.' })
  tokenDetails?: TokenDetails;

  @integer({ min: 0 })
  creditCost!: number;
}

class OfToolCall extends OfAgent {
  @integer({ min: 1, description: 'The number of the call within its step.' })
  call!: number;

  @text({ description: 'The tool as grants name it, or the name that the model gave when there is no such tool.' })
  toolId!: string;
}

export class AgentToolCall extends OfToolCall {
  @json({ description: 'The arguments, or the beginning of their JSON when it is longer than 16,384 characters.' })
  input!: unknown;
}

export class AgentToolInputDelta extends OfToolCall {
  @text({ max: 10_000_000, description: 'A piece of the JSON of the arguments.' })
  text!: string;
}

export class AgentToolResult extends OfToolCall {
  @oneOf(['done', 'unknown'], { description: 'unknown: the worker was lost during a call that must not be repeated.' })
  status!: 'done' | 'unknown';

  @flag()
  isError!: boolean;

  @text({ description: 'The result; at most its first 16,384 characters.' })
  text!: string;
}

export class AgentContextReduced extends OfAgent {
  @integer({
    min: 1,
    description: 'The number of tool results of which the model sees only the beginning, oldest first.',
  })
  results!: number;

  @integer({ min: 1, description: 'The tokens that the model can read in this step.' })
  limit!: number;
}

export class LogLine {
  @oneOf(['debug', 'info', 'warn', 'error'])
  level!: string;

  @text()
  message!: string;

  @record({ optional: true })
  members?: Record<string, unknown>;
}

/** The events of a run, with the classes of their payloads. */
export const runEvents = {
  'run.queued': RunQueued,
  'run.started': RunStarted,
  'run.progress': RunProgress,
  'run.retrying': RunRetrying,
  'run.requires_action': RunRequiresAction,
  'run.succeeded': RunSucceeded,
  'run.failed': RunFailed,
  'run.canceled': RunEnded,
  'run.timed_out': RunEnded,
  'node.queued': NodeRef,
  'node.waiting': NodeWaiting,
  'node.started': NodeStarted,
  'node.output.delta': NodeOutputDelta,
  'node.retrying': NodeRetrying,
  'node.succeeded': NodeSucceeded,
  'node.failed': NodeFailed,
  'node.skipped': NodeRef,
  'node.canceled': NodeRef,
  'node.timed_out': NodeFailed,
  'artifact.created': ArtifactCreated,
  'credits.reserved': CreditsMoved,
  'credits.charged': CreditsMoved,
  'credits.released': CreditsMoved,
  'approval.requested': ApprovalRequested,
  'approval.resolved': ApprovalResolved,
  'judging.progress': JudgingProgress,
  'agent.thought': AgentThought,
  'agent.step': AgentStepDone,
  'agent.tool_input.delta': AgentToolInputDelta,
  'agent.tool_call': AgentToolCall,
  'agent.tool_result': AgentToolResult,
  'agent.context_reduced': AgentContextReduced,
  log: LogLine,
} as const satisfies Record<string, Shape>;

export type RunEventType = keyof typeof runEvents;
export type RunEventPayload<T extends RunEventType> = InstanceType<(typeof runEvents)[T]>;

/** A run event as it is stored, published, and sent as `data` of an SSE frame. */
export interface RunEvent<T extends RunEventType = RunEventType> {
  eventType: T;
  payload: RunEventPayload<T>;
  occurredAt: string;
  runId: string;
  sequence: number;
}

/** The last frame of a stream. */
export interface RunDone {
  eventType: 'done';
  payload: { status: RunStatus };
  occurredAt: string;
}

/** The last frame of the stream of a batch: the number of its runs by status. */
export interface GroupDone {
  eventType: 'done';
  payload: { statuses: Partial<Record<RunStatus, number>> };
  occurredAt: string;
}

export const terminalStatuses: readonly RunStatus[] = ['succeeded', 'failed', 'canceled', 'timed_out'];

export const isTerminal = (status: RunStatus): boolean => terminalStatuses.includes(status);

/** The pub/sub channel of a run's events, published after their commit. */
export const runChannel = (runId: string): string => `run:${runId}`;

/** The pub/sub channel of the ids of runs that workers must stop. */
export const cancelChannel = 'cancel';
