import { type QueueName, queues } from '../catalogue/jobs.js';
import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, decimal, flag, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { RunStatistics, StatisticsRange } from './run-statistics.js';
import { type RunKind, type RunStatus, runKinds, runStatuses } from './runs.js';

export class QueueStatus {
  @oneOf(queues)
  queue!: QueueName;

  @integer({ min: 0, description: 'Jobs that a worker could take.' })
  waiting!: number;

  @integer({ min: 0 })
  active!: number;

  @integer({ min: 0 })
  delayed!: number;

  @integer({ min: 0, description: 'Jobs of the last hour that failed.' })
  failed!: number;

  @flag({ description: 'Workers take no more jobs of the queue.' })
  paused!: boolean;

  @decimal({ min: 0, description: '0 when no job waits.' })
  oldestWaitingSeconds!: number;
}

export class DatabaseStatus {
  @text()
  version!: string;

  @integer({ min: 0, description: 'The newest migration.' })
  schema!: number;

  @integer({ min: 0 })
  bytes!: number;

  @integer({ min: 0 })
  connections!: number;

  @integer({ min: 1 })
  maxConnections!: number;
}

export class RedisStatus {
  @text()
  version!: string;

  @integer({ min: 0 })
  bytes!: number;

  @integer({ min: 0 })
  connections!: number;
}

export class WorkerStatus {
  @text({ description: 'The name of the run-worker.' })
  worker!: string;

  @integer({ min: 0, description: 'Runs that it executes.' })
  runs!: number;

  @decimal({ description: 'Seconds until the first of its leases expires; negative when it has expired.' })
  leaseSeconds!: number;
}

export class RunsStatus {
  @integer({ min: 0, description: 'Queued runs with a job; counted up to 100,000.' })
  queued!: number;

  @integer({ min: 0, description: 'Queued runs that wait for a time, a key or a slot; counted up to 100,000.' })
  waiting!: number;

  @integer({ min: 0 })
  running!: number;

  @integer({ min: 0, description: 'Runs that were accepted in the last ten minutes.' })
  accepted!: number;

  @integer({ min: 0, description: 'Of these, those that succeeded.' })
  succeeded!: number;

  @integer({ min: 0, description: 'Of these, those that failed or timed out.' })
  failed!: number;

  @integer({ min: 0, description: 'Of these, those that failed since their workers were lost.' })
  lost!: number;
}

/** Counts that must be 0. */
export class InvariantsStatus {
  @integer({ min: 0, description: 'Runs that were not ended a minute after their deadline or lease.' })
  stuckRuns!: number;

  @integer({ min: 0, description: 'Ended runs that still hold credits.' })
  unsettledCredits!: number;

  @integer({ min: 0, description: 'Of the latest 500 runs, those with gaps in their events.' })
  eventGaps!: number;

  @integer({ min: 0, description: 'Rows of the outbox that are a minute late.' })
  staleOutbox!: number;
}

export class OutboxStatus {
  @integer({ min: 0 })
  due!: number;

  @decimal({ min: 0 })
  oldestSeconds!: number;
}

export const pauseReasons = ['limited', 'unavailable', 'unpaid'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** A model in a cooldown, or a key whose calls wait, in one or more run-workers. Each worker finds out by itself. */
export class ProviderPause {
  @text()
  provider!: string;

  @text({
    nullable: true,
    description:
      'A model that workers skip while it has alternatives. null: all calls with the key wait; also for BYOK keys, whose models are not named.',
  })
  model!: string | null;

  @flag({ description: 'BYOK keys, rather than the key of the platform.' })
  byok!: boolean;

  @integer({ min: 1, description: 'The most keys in one worker.' })
  keys!: number;

  @integer({ min: 1, description: 'The workers that have it.' })
  workers!: number;

  @oneOf(pauseReasons, {
    description: 'limited: the provider refused for its rate limit; unpaid: the account at the provider has no credit.',
  })
  reason!: PauseReason;

  @integer({ min: 1, description: 'The most failures in succession.' })
  failures!: number;

  @dateTime({ description: 'The first failure.' })
  since!: string;

  @dateTime({ description: 'The last end; one that has passed lasts until the one call that probes the model ends.' })
  until!: string;

  @integer({ min: 0, description: 'Calls of running runs that wait in workers.' })
  waitingCalls!: number;

  @integer({
    min: 0,
    description: 'Queued runs of the model, or of the provider, that wait for another attempt; counted up to 100,000.',
  })
  waitingRuns!: number;
}

export class OperatorStatus {
  @nested(() => DatabaseStatus)
  database!: DatabaseStatus;

  @nested(() => RedisStatus, { nullable: true, description: 'null while Redis cannot be reached.' })
  redis!: RedisStatus | null;

  @list(nestedKind(() => QueueStatus), { description: 'Empty while Redis cannot be reached.' })
  queues!: QueueStatus[];

  @nested(() => OutboxStatus)
  outbox!: OutboxStatus;

  @list(nestedKind(() => WorkerStatus), { description: 'The run-workers that execute runs now, at most 200.' })
  workers!: WorkerStatus[];

  @list(nestedKind(() => ProviderPause), {
    description: 'The pauses of the last seconds, at most 200. Empty while Redis cannot be reached.',
  })
  providerPauses!: ProviderPause[];

  @nested(() => RunsStatus)
  runs!: RunsStatus;

  @nested(() => InvariantsStatus)
  invariants!: InvariantsStatus;
}

export class QueuePath {
  @oneOf(queues)
  queue!: QueueName;
}

export class QueueSwitchRequest {
  @flag()
  paused!: boolean;
}

export class RunsRequeued {
  @integer({ min: 0, description: 'Queued runs that got a new job.' })
  requeued!: number;
}

export const operatorRunLists = ['stuck', 'lost', 'failed', 'oldest'] as const;
export type OperatorRunList = (typeof operatorRunLists)[number];

export class OperatorRunsQuery {
  @oneOf(operatorRunLists, {
    description:
      'stuck: a minute after their deadline or lease; lost and failed: those of the last hour; oldest: the queued runs with a job that have waited longest.',
  })
  list!: OperatorRunList;
}

/** A run of any account, without its contents. */
export class OperatorRun {
  @uuid()
  id!: string;

  @uuid()
  accountId!: string;

  @text({ nullable: true })
  accountHandle!: string | null;

  @oneOf(runKinds)
  kind!: RunKind;

  @oneOf(runStatuses)
  status!: RunStatus;

  @text({ nullable: true })
  errorCode!: string | null;

  @text({ nullable: true, description: 'The name of the run-worker that executes it.' })
  worker!: string | null;

  @text({ nullable: true, description: 'The reason why a queued run has no job yet, such as slot.' })
  waitsFor!: string | null;

  @dateTime()
  createdAt!: string;

  @dateTime()
  deadlineAt!: string;
}

export class OperatorRuns {
  @list(nestedKind(() => OperatorRun), { description: 'At most 100.' })
  runs!: OperatorRun[];
}

/** Failed runs of all accounts; absent members match all. */
export class FailedRunsFilter {
  @dateTime({ description: 'Runs accepted at or after this time, at most 24 hours before createdBefore.' })
  createdAfter!: string;

  @dateTime({ description: 'Runs accepted before this time.' })
  createdBefore!: string;

  @text({ min: 1, max: 100, optional: true, description: 'Runs of this account, by its id or handle.' })
  account?: string;

  @text({ min: 1, max: 100, optional: true, description: 'Runs that failed with this error code.' })
  errorCode?: string;

  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'Runs whose model is of this provider. Workflows have no model.',
  })
  provider?: string;

  @text({ min: 1, max: 300, optional: true, description: 'Runs of this model, such as openai/gpt-5-mini.' })
  model?: string;

  @uuid({ optional: true, description: 'Runs of this lens.' })
  lensId?: string;

  @uuid({ optional: true, description: 'Runs of this workflow.' })
  workflowId?: string;
}

export class FailedRunsGroup {
  @text({ nullable: true })
  errorCode!: string | null;

  @text({ nullable: true, description: 'null for workflows.' })
  model!: string | null;

  @integer({ min: 1 })
  runs!: number;
}

export class FailedRuns {
  @integer({ min: 0, description: 'Counted up to 100,000.' })
  runs!: number;

  @integer({ min: 0, description: 'The accounts of these runs.' })
  accounts!: number;

  @decimal({ min: 0, description: 'The credits that were held for these runs; the retries hold about as many.' })
  credits!: number;

  @list(nestedKind(() => FailedRunsGroup), { description: 'The runs by error and model, at most 50 groups.' })
  groups!: FailedRunsGroup[];
}

export class FailedRunsRetryRequest {
  @nested(() => FailedRunsFilter)
  filter!: FailedRunsFilter;

  @integer({ min: 1, max: 100, description: 'The most runs of this request.' })
  limit = 100;

  @uuid({ optional: true, description: 'next of the previous reply; the first page when absent.' })
  before?: string;
}

export class RetryRefusal {
  @text({ description: 'The error code, such as INSUFFICIENT_CREDITS.' })
  code!: string;

  @integer({ min: 1 })
  runs!: number;
}

export class FailedRunsRetried {
  @integer({ min: 0, description: 'The runs of this request.' })
  matched!: number;

  @integer({ min: 0, description: 'Of these, those with a new run.' })
  retried!: number;

  @list(nestedKind(() => RetryRefusal), { description: 'The runs that could not be retried, by error code.' })
  refused!: RetryRefusal[];

  @uuid({ nullable: true, description: 'before of the request for the rest; null when there is none.' })
  next!: string | null;
}

const forOperators = 'Only for people whom "lensforge-operate set-operator" has appointed; others get 403.';

export const operatorEndpoints = defineEndpoints({
  getOperatorStatus: {
    route: 'GET /v1/operator/status',
    summary: 'Reads the state of the installation: stores, queues, workers, runs and invariants',
    description: `Everything is read at the time of the call; nothing is cached. ${forOperators}`,
    reply: OperatorStatus,
    scopes: [],
    audience: 'session',
    rate: 'expensive',
  },
  getOperatorRunStatistics: {
    route: 'GET /v1/operator/run-statistics',
    summary: 'Counts the runs of all accounts by status over time',
    description: `The same counts as those of getRunStatistics, over all accounts. ${forOperators}`,
    query: StatisticsRange,
    reply: RunStatistics,
    scopes: [],
    audience: 'session',
    rate: 'expensive',
  },
  listOperatorRuns: {
    route: 'GET /v1/operator/runs',
    summary: 'Lists runs of all accounts that may need an operator',
    description: `The runs have no contents: an operator cannot read those of other accounts. ${forOperators}`,
    query: OperatorRunsQuery,
    reply: OperatorRuns,
    scopes: [],
    audience: 'session',
    rate: 'expensive',
  },
  setOperatorQueue: {
    route: 'PATCH /v1/operator/queues/{queue}',
    summary: 'Pauses a queue for all workers, or lets them go on',
    description: `Workers finish the jobs that they have and take no more: the way to drain them. Requests are still accepted, and their jobs wait. ${forOperators}`,
    params: QueuePath,
    body: QueueSwitchRequest,
    reply: QueueStatus,
    scopes: [],
    audience: 'session',
    rate: 'write',
    errors: [503],
    unknownIs400: true,
  },
  requeueOperatorRuns: {
    route: 'POST /v1/operator/requeue',
    summary: 'Gives every queued run a new job',
    description: `For a Redis that lost jobs: workers ignore old jobs that are still there, so that no run executes twice. ${forOperators}`,
    reply: RunsRequeued,
    scopes: [],
    audience: 'session',
    rate: 'expensive',
  },
  countOperatorFailedRuns: {
    route: 'GET /v1/operator/failed-runs',
    summary: 'Counts failed runs of all accounts that can be retried, by error and model',
    description: `Runs that failed or timed out and have no retry. It leaves out nodes, whose runs are retried, runs that callers execute or report themselves, and closed accounts. ${forOperators}`,
    query: FailedRunsFilter,
    reply: FailedRuns,
    scopes: [],
    audience: 'session',
    rate: 'expensive',
  },
  retryOperatorFailedRuns: {
    route: 'POST /v1/operator/failed-runs/retry',
    summary: 'Retries failed runs of all accounts, the newest first, at most 100 in a request',
    description: `Each retry is a run of the account of the failed run and is paid as if the account had retried it; limits of the account apply. Workflows keep the results of nodes that succeeded. A repeated request retries no run again. The audit logs of the operator and of each account say it. ${forOperators}`,
    body: FailedRunsRetryRequest,
    reply: FailedRunsRetried,
    scopes: [],
    audience: 'session',
    rate: 'expensive',
  },
});
