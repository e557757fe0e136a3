import { type Job, jobs } from './jobs.js';

type Origin =
  | { kind: 'schedule'; scheduleId: string; tickAt: string }
  | { kind: 'incoming_webhook'; webhookId: string }
  | { kind: 'node'; runId: string; nodeKey: string; generation: number; depth: number }
  | { kind: 'tracking' }
  | { kind: 'battle'; battleId: string; contenderId?: string }
  | { kind: 'experiment'; experimentId: string }
  | { kind: 'scorer'; scorerId: string }
  | { kind: 'agent'; agentId: string; actionId?: string; depth?: number }
  | { kind: 'team'; agentId: string }
  | { kind: 'thread'; threadId: string; messageId: string; agentId: string };

export const callModes = ['record', 'replay', 'read'] as const;
export type CallMode = (typeof callModes)[number];

/** How the calls of a run to the outside are answered. */
export interface CallPolicy {
  /** record: live, and kept. replay: from the recording alone. read: from the recording if it has an answer, or else live and kept. */
  mode: CallMode;
  recordingId: string;
  /** The same call in another repetition has an answer of its own. */
  repetition: number;
  /** With read: older answers do not count. */
  maxAgeMs?: number | undefined;
}

/** A run whose request goes to the batch service of its provider; after this time it is sent on its own. */
export interface BatchPolicy {
  until: string;
}

/** The origin of a run that no caller started, as it is stored with the run; with the scopes of its agents if it passes them on. */
export type RunCause = Origin & {
  agentScopes?: readonly string[] | null;
  calls?: CallPolicy | undefined;
  batch?: BatchPolicy | undefined;
};

/** The policy of a run for its calls; undefined for one whose calls are live. */
export const readCallPolicy = (cause: object | null | undefined): CallPolicy | undefined =>
  cause && 'calls' in cause ? (cause.calls as CallPolicy) : undefined;

/** True for runs that make no call to the outside, and so cost nothing. */
export const isReplayed = (cause: object | null | undefined): boolean => readCallPolicy(cause)?.mode === 'replay';

/** The policy of a run whose request goes to a batch service; undefined for any other. */
export const readBatchPolicy = (cause: object | null | undefined): BatchPolicy | undefined =>
  cause && 'batch' in cause ? (cause.batch as BatchPolicy) : undefined;

/** The providers with a batch service, which answers within a day at half the price. */
export const batchProviders: readonly string[] = ['openai', 'anthropic', 'google'];

type CauseOf<K extends RunCause['kind']> = Extract<RunCause, { kind: K }>;

/** The job that the end of each run with such a cause writes, in the same commit. */
export interface RunFollowUp {
  causeKind: RunCause['kind'];
  job: Job;
  /** The member of the payload besides outboxId: the id of the run, or a member of its cause. */
  member: string;
}

const followUp = <K extends RunCause['kind'], P extends { outboxId: string }>(
  causeKind: K,
  job: Job<P>,
  member: Exclude<keyof P & string, 'outboxId'> & ('runId' | keyof CauseOf<K>),
): RunFollowUp => ({ causeKind, job, member });

/**
 * The jobs that follow the ends of runs. The package that owns a kind of cause adds a row; libs/runs writes the jobs without
 * knowing them. Every end of such a run has its job, and a handler decides which ends concern it.
 */
export const runFollowUps: readonly RunFollowUp[] = [
  followUp('battle', jobs.advanceBattle, 'battleId'),
  followUp('agent', jobs.recordAgentRunEnd, 'runId'),
  followUp('team', jobs.recordAgentRunEnd, 'runId'),
  followUp('thread', jobs.recordAgentRunEnd, 'runId'),
  followUp('thread', jobs.postAnswer, 'runId'),
];

/** Causes whose runs share a budget of holds, so that no run is charged above its hold. */
export const sharedBudgetCauses: readonly RunCause['kind'][] = ['battle', 'experiment'];

/** Causes that the retry of a lens or workflow run keeps, so that its outcome counts there instead of that of the old run. */
export const causesKeptByRetry: readonly RunCause['kind'][] = ['battle'];

/** Causes whose runs are scored by those who start them, and not by the rules of evaluation. */
export const causesWithOwnScores: readonly RunCause['kind'][] = ['battle', 'experiment'];

/** Causes whose runs do not tell what they ran, until those who started them do. */
export const blindCauses: readonly RunCause['kind'][] = ['battle'];

/** The consent of an AI lenser's owner that runs with such a cause need at their acceptance. */
export interface RunConsent {
  causeKind: RunCause['kind'];
  /** The function of the database that reads the AI lenser, by a member of the cause and the caller. */
  reader: string;
  member: string;
}

const consent = <K extends RunCause['kind']>(
  causeKind: K,
  reader: string,
  member: keyof CauseOf<K> & string,
): RunConsent => ({ causeKind, reader, member });

/** The package that owns a kind of cause adds a row; libs/runs asks for the consent, also when a run is retried. */
export const runConsents: readonly RunConsent[] = [consent('battle', 'answering_lenser', 'contenderId')];
