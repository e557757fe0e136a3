import type {
  AgentEventPayloads,
  BattleEventPayloads,
  ExperimentEventPayloads,
  RunEventPayloads,
  ThreadEventPayloads,
  WebhookEventData,
} from './generated/shapes.js';

/** An event of a log: `eventType` decides about the type of `payload`. */
export type LogEvent<Payloads, Ids> = {
  [T in keyof Payloads]: Ids & {
    /** The id after which a stream resumes. */
    id: string;
    eventType: T;
    payload: Payloads[T];
    occurredAt: string;
    /** The number of the event in its log; 1 for the first. */
    sequence: number;
  };
}[keyof Payloads];

export type RunEvent = LogEvent<RunEventPayloads, { runId: string }>;
export type BattleEvent = LogEvent<BattleEventPayloads, { battleId: string }>;
export type ExperimentEvent = LogEvent<ExperimentEventPayloads, { experimentId: string }>;
export type AgentEvent = LogEvent<AgentEventPayloads, { aiLenserId: string; runId?: string | null }>;
export type ThreadEvent = LogEvent<ThreadEventPayloads, { threadId: string }>;

/** The body of a webhook delivery. */
export type WebhookEvent =
  | {
      [T in keyof WebhookEventData]: {
        id: string;
        event: T;
        timestamp: string;
        data: WebhookEventData[T];
        signature: string;
      };
    }[keyof WebhookEventData]
  | { id: string; event: 'webhook.test'; timestamp: string; data: Record<string, unknown>; signature: string };
