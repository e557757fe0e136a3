import { queues } from '../catalogue/jobs.js';
import type { QueueName } from '../catalogue/jobs.js';
import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, decimal, flag, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind } from '../schema/kinds.js';
import { RunStatistics, StatisticsRange } from './run-statistics.js';
import type { RunKind, RunStatus } from './runs.js';
import { runKinds, runStatuses } from './runs.js';

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

const forOperators = 'Only for people whom "operate set-operator" has appointed; others get 403.';

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
});
