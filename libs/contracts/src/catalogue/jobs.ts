import { dateTime, integer, oneOf, record, text, uuid } from '../schema/field.js';
import { type PlatformEventType, platformEventTypes } from './platform-events.js';
import type { Shape } from '../schema/rules.js';

export class RunJob {
  @uuid()
  runId!: string;

  @integer({ min: 0, description: 'A job of an older generation is a no-op.' })
  generation!: number;
}

export class NodeJob extends RunJob {
  @text({ max: 500, description: 'The node within the run.' })
  nodeKey!: string;
}

/** A platform event for subscribed webhook endpoints. Fan-out serialises its body once. */
export class PlatformEventJob {
  @uuid({ description: 'The event id, the same in every attempt.' })
  eventId!: string;

  @oneOf(platformEventTypes)
  type!: PlatformEventType;

  @uuid({ description: 'The account whose webhook endpoints receive the event.' })
  accountId!: string;

  @dateTime()
  occurredAt!: string;

  @record()
  data!: Record<string, unknown>;
}

export class RunOperationJob {
  @uuid()
  operationId!: string;

  @integer({ min: 0, description: 'A job of an older generation is a no-op.' })
  generation!: number;
}

export class ByokTestJob {
  @uuid()
  keyId!: string;

  @uuid({ description: 'The id of this test; only the newest test of a key counts.' })
  testId!: string;
}

export class McpServerJob {
  @uuid()
  mcpServerId!: string;

  @uuid({ description: 'The id of this refresh; only the newest refresh of a server counts.' })
  refreshId!: string;

  @uuid({ description: 'The outbox row, which the handler deletes.' })
  outboxId!: string;
}

export class McpAuthorizationJob {
  @uuid({ description: 'Only the newest authorization of a server counts.' })
  authorizationId!: string;

  @uuid({ description: 'The outbox row, which the handler deletes.' })
  outboxId!: string;
}

export class AdvanceBattleJob {
  @uuid()
  battleId!: string;

  @uuid({ description: 'The outbox row, which the handler deletes.' })
  outboxId!: string;
}

export class AdvanceExperimentJob {
  @uuid()
  experimentId!: string;

  @uuid({ description: 'The outbox row, which the handler deletes.' })
  outboxId!: string;
}

export class CallScorerJob {
  @uuid({ description: 'The call to a scorer of the kind http.' })
  callId!: string;

  @uuid({ description: 'The outbox row, which the handler deletes.' })
  outboxId!: string;
}

export class AgentRunEndedJob {
  @uuid()
  runId!: string;

  @uuid({ description: 'The outbox row, which the handler deletes.' })
  outboxId!: string;
}

/** A mention of an AI lenser in a message of a thread. */
export class AnswerMentionJob {
  @uuid()
  messageId!: string;

  @uuid({ description: 'The AI lenser.' })
  agentId!: string;

  @uuid({ description: 'The outbox row, which the handler deletes.' })
  outboxId!: string;
}

export class PostAnswerJob {
  @uuid({ description: 'The run that has ended.' })
  runId!: string;

  @uuid({ description: 'The outbox row, which the handler deletes.' })
  outboxId!: string;
}

export const queues = [
  'runs',
  'runs-isolated',
  'nodes',
  'run-operations',
  'byok-tests',
  'battles',
  'experiments',
  'scorer-calls',
  'agents',
  'mcp-servers',
  'threads',
  'platform-events',
] as const;
export type QueueName = (typeof queues)[number];

/**
 * Queues whose jobs may go to a worker with free places without BullMQ. Such a job is lost with its worker or with Redis, so
 * these are queues whose jobs are soon restored from PostgreSQL.
 */
const directQueues: ReadonlySet<QueueName> = new Set<QueueName>(['runs', 'platform-events']);
export const isDirect = (queue: QueueName): boolean => directQueues.has(queue);

export interface Job<P extends object = object, N extends string = string> {
  readonly name: N;
  readonly queue: QueueName;
  readonly payload: Shape<P>;
  /** The outbox row stays until the handler deletes it, since no other row records the work. */
  readonly keepsOutboxRow?: true;
}

const job = <P extends object, N extends string>(name: N, queue: QueueName, payload: Shape<P>): Job<P, N> => ({
  name,
  queue,
  payload,
});

/** The job table. Each job has exactly one handler, and may be delivered twice. */
export const jobs = {
  executeRun: job('run.execute', 'runs', RunJob),
  executeIsolatedRun: job('run.execute-isolated', 'runs-isolated', RunJob),
  executeNode: job('node.execute', 'nodes', NodeJob),
  carryOutRunOperation: job('run-operation.carry-out', 'run-operations', RunOperationJob),
  testByokKey: job('byok-key.test', 'byok-tests', ByokTestJob),
  advanceBattle: { ...job('battle.advance', 'battles', AdvanceBattleJob), keepsOutboxRow: true },
  advanceExperiment: { ...job('experiment.advance', 'experiments', AdvanceExperimentJob), keepsOutboxRow: true },
  callScorer: { ...job('scorer.call', 'scorer-calls', CallScorerJob), keepsOutboxRow: true },
  recordAgentRunEnd: { ...job('agent-run.record-end', 'agents', AgentRunEndedJob), keepsOutboxRow: true },
  refreshMcpServer: { ...job('mcp-server.refresh', 'mcp-servers', McpServerJob), keepsOutboxRow: true },
  authorizeMcpServer: { ...job('mcp-server.authorize', 'mcp-servers', McpAuthorizationJob), keepsOutboxRow: true },
  answerMention: { ...job('thread.answer-mention', 'threads', AnswerMentionJob), keepsOutboxRow: true },
  postAnswer: { ...job('thread.post-answer', 'threads', PostAnswerJob), keepsOutboxRow: true },
  fanOutPlatformEvent: { ...job('platform-event.fan-out', 'platform-events', PlatformEventJob), keepsOutboxRow: true },
} as const;

export const jobNamed = (name: string): Job | undefined => Object.values<Job>(jobs).find((each) => each.name === name);
