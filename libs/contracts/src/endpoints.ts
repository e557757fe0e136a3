import type { Shape } from './kinds.js';
import { HealthReport } from './health.js';
import {
  LensExecuteRequest,
  LensPath,
  PlatformExecutionAccepted,
  PlatformRunStatus,
  RunCanceled,
  RunPath,
} from './runs.js';
import type { Scope } from './scopes.js';

export type RateClass = 'execute' | 'run';

export interface Endpoint {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  readonly reply?: Shape;
  readonly status: number;
  /** Any of these opens the door; none: no credential is asked for. */
  readonly scopes: readonly Scope[];
  readonly rate?: RateClass;
  readonly errors: readonly number[];
  readonly replies: 'envelope' | 'plain' | 'event-stream';
}

const endpoint = <const E extends Endpoint>(row: E): E => row;

/** The REST interface as data: controllers, OpenAPI, the SDK's types and the status-by-status tests come from it. */
export const endpoints = {
  health: endpoint({
    id: 'health',
    method: 'GET',
    path: '/health',
    summary: 'Tells whether the service reaches its database',
    reply: HealthReport,
    status: 200,
    scopes: [],
    errors: [503],
    replies: 'plain',
  }),
  executeLens: endpoint({
    id: 'executeLens',
    method: 'POST',
    path: '/v1/lenses/{lensId}/execute',
    summary: 'Executes a lens; answers at once with a run to follow',
    params: LensPath,
    body: LensExecuteRequest,
    reply: PlatformExecutionAccepted,
    status: 202,
    scopes: ['lenses:read'],
    rate: 'execute',
    errors: [400, 401, 403, 404, 413, 415, 429, 500],
    replies: 'envelope',
  }),
  getRun: endpoint({
    id: 'getRun',
    method: 'GET',
    path: '/v1/runs/{runId}',
    summary: 'Reads the status and the artifacts of a run',
    params: RunPath,
    reply: PlatformRunStatus,
    status: 200,
    scopes: ['lenses:read', 'workflows:read'],
    errors: [400, 401, 403, 404, 500],
    replies: 'envelope',
  }),
  streamRunEvents: endpoint({
    id: 'streamRunEvents',
    method: 'GET',
    path: '/v1/runs/{runId}/events',
    summary: 'Streams the events of a run; resumes after Last-Event-ID',
    params: RunPath,
    status: 200,
    scopes: ['lenses:read', 'workflows:read'],
    errors: [400, 401, 403, 404],
    replies: 'event-stream',
  }),
  cancelRun: endpoint({
    id: 'cancelRun',
    method: 'POST',
    path: '/v1/runs/{runId}/cancel',
    summary: 'Cancels a run: at once while queued, within seconds while running',
    params: RunPath,
    reply: RunCanceled,
    status: 202,
    scopes: ['lenses:read', 'workflows:write'],
    errors: [400, 401, 403, 404, 409, 500],
    replies: 'envelope',
  }),
} as const satisfies Record<string, Endpoint>;
