import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, integer, nested, oneOf, text, uuid } from '../schema/field.js';
import { type RetryFrom, RunFilter, retriesFrom, runReadScopes, runWriteScopes } from './runs.js';

export const runOperationActions = ['cancel', 'retry'] as const;
export type RunOperationAction = (typeof runOperationActions)[number];

export const runOperationStatuses = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const;
export type RunOperationStatus = (typeof runOperationStatuses)[number];

export class RunOperationPath {
  @uuid({ description: 'The operation.' })
  operationId!: string;
}

export class RunOperationRequest {
  @oneOf(runOperationActions, {
    description: 'cancel: cancels runs that have not ended; retry: retries runs that did not succeed.',
  })
  action!: RunOperationAction;

  @nested(() => RunFilter, { description: 'At least one member. Runs accepted after the request are not affected.' })
  filter!: RunFilter;

  @oneOf(retriesFrom, {
    optional: true,
    description: 'For retry: the part of a workflow to repeat; start when absent.',
  })
  from?: RetryFrom;
}

export class RunOperationProgress {
  @integer({ min: 0, description: 'The number of runs found so far; of all runs after the operation has succeeded.' })
  matched!: number;

  @integer({ min: 0 })
  done!: number;

  @integer({ min: 0 })
  failed!: number;
}

export class RunOperationFault {
  @text()
  code!: string;

  @text()
  message!: string;
}

export class RunOperationState {
  @uuid()
  id!: string;

  @oneOf(runOperationActions)
  action!: RunOperationAction;

  @oneOf(runOperationStatuses)
  status!: RunOperationStatus;

  @nested(() => RunFilter)
  filter!: RunFilter;

  @nested(() => RunOperationProgress)
  progress!: RunOperationProgress;

  @nested(() => RunOperationFault, {
    nullable: true,
    description: 'The fault of the operation, or of the last run that could not be changed.',
  })
  error!: RunOperationFault | null;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  startedAt!: string | null;

  @dateTime({ nullable: true })
  completedAt!: string | null;
}

export const runOperationEndpoints = defineEndpoints({
  startRunOperation: {
    route: 'POST /v1/run-operations',
    summary: 'Cancels or retries all runs that match a filter, one after the other',
    description:
      'Runs are processed one after the other, the newest first, in the background. An account has at most ten active operations.',
    body: RunOperationRequest,
    reply: RunOperationState,
    status: 202,
    scopes: runWriteScopes,
    rate: 'create',
  },
  getRunOperation: {
    route: 'GET /v1/run-operations/{operationId}',
    summary: 'Reads the progress of an operation on runs',
    description:
      'matched counts the runs found so far, done and failed those processed. error is the fault of the latest run that could not be changed.',
    params: RunOperationPath,
    reply: RunOperationState,
    scopes: runReadScopes,
    rate: 'read',
  },
  cancelRunOperation: {
    route: 'POST /v1/run-operations/{operationId}/cancel',
    summary: 'Stops an operation on runs; its changes so far remain',
    description: 'Runs that were canceled or retried already stay so. An operation that has ended is refused with 409.',
    params: RunOperationPath,
    reply: RunOperationState,
    status: 202,
    scopes: runWriteScopes,
    rate: 'write',
    errors: [409],
  },
});
