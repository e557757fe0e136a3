import { endpoint } from '../catalogue/endpoint.js';
import { flag, integer, json, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { textKind } from '../schema/kinds.js';
import { RunPath, runStatuses } from './runs.js';
import type { RunStatus } from './runs.js';

const mostCharacters = 2_000_000;
const leaseToken = { min: 1, description: 'The token of the lease that the run was claimed with.' };
const after = {
  min: 0,
  description: 'The sequence number that the last answer gave: a call that is made again adds nothing.',
};

export class LocalRunClaimRequest {
  @text({ min: 1, max: 100, pattern: /\S/, description: 'What the runner calls itself.' })
  runner = 'runner';

  @integer({ min: 0, max: 20, description: 'How long to wait for a run when there is none.' })
  waitSeconds = 0;
}

export class LocalRunModel {
  @text()
  provider!: string;

  @text()
  key!: string;
}

export class LocalRunLease {
  @integer({ min: 1, description: 'Goes with every call for the run; when it is claimed again it has another.' })
  token!: number;

  @integer({ min: 0, description: 'The run goes back into the queue when it is not heard of for so long.' })
  ms!: number;
}

export class LocalRun {
  @uuid()
  runId!: string;

  @nested(() => LocalRunLease)
  lease!: LocalRunLease;

  @integer({ min: 1, description: 'Of its last event; goes with the next call as `after`.' })
  sequence!: number;

  @text({ max: 10_000_000, description: 'The lens with its parameters filled in.' })
  prompt!: string;

  @nested(() => LocalRunModel, { description: 'What was asked for; a runner may use one of its own instead.' })
  model!: LocalRunModel;

  @integer({ min: 1, description: 'How long the answer may get, in tokens.' })
  maxOutputTokens!: number;

  @json({ description: 'The temperature that was asked for, or null.' })
  temperature!: number | null;

  @json({ description: 'The JSON Schema that the answer has to fit, or null.' })
  outputSchema!: Record<string, unknown> | null;

  @integer({ min: 0, description: 'Until it counts as timed out.' })
  msToDeadline!: number;
}

export class LocalRunClaimed {
  @nested(() => LocalRun, { nullable: true, description: 'null when there is none to execute.' })
  run!: LocalRun | null;
}

export class LocalRunEventsRequest {
  @integer(leaseToken)
  leaseToken!: number;

  @integer(after)
  after!: number;

  @list(textKind({ min: 1, max: 32_768 }), {
    max: 100,
    description: 'Pieces of the answer, in order. An empty list only extends the lease.',
  })
  deltas: string[] = [];

  @list(textKind({ min: 1, max: 2000 }), { max: 20, description: 'Log messages of the runner.' })
  log: string[] = [];
}

export class LocalRunProgress {
  @flag({ description: 'Stop, and finish the run with outcome canceled.' })
  cancelRequested!: boolean;

  @integer({ min: 1 })
  sequence!: number;

  @integer({ min: 0 })
  leaseMs!: number;
}

const outcomes = ['succeeded', 'failed', 'canceled'] as const;

export class LocalRunUsage {
  @integer({ min: 0, max: 100_000_000 })
  input!: number;

  @integer({ min: 0, max: 100_000_000 })
  output!: number;
}

export class LocalRunFinishRequest {
  @integer(leaseToken)
  leaseToken!: number;

  @oneOf(outcomes, { description: 'canceled only when the run was to be stopped.' })
  outcome!: (typeof outcomes)[number];

  @text({ max: mostCharacters, optional: true, description: 'The whole answer, when it succeeded.' })
  text?: string;

  @text({ min: 1, max: 1000, optional: true, description: 'What went wrong, when it failed.' })
  error?: string;

  @nested(() => LocalRunUsage, { optional: true, description: 'Tokens of prompt and answer, where they are known.' })
  usage?: LocalRunUsage;
}

export class LocalRunFinished {
  @uuid()
  runId!: string;

  @oneOf(runStatuses)
  status!: RunStatus;
}

const most = 20;
// A runner reports five times a second: what it sends counts among reads, of which an account may make the most.
const door = {
  method: 'POST',
  scopes: ['lenses:read'],
  audience: 'people',
  replies: 'envelope',
  status: 200,
  rate: 'read',
} as const;
const ofRun = { params: RunPath, errors: [400, 401, 403, 404, 409, 413, 415, 429, 500] } as const;

export const localRunEndpoints = {
  claimLocalRun: endpoint({
    ...door,
    id: 'claimLocalRun',
    path: '/v1/local-runs/claim',
    summary:
      "Takes the oldest run of the caller that waits for the caller's own machine; waits for one when there is none",
    body: LocalRunClaimRequest,
    reply: LocalRunClaimed,
    waitsMs: most * 1000,
    errors: [400, 401, 403, 413, 415, 429, 500],
  }),
  reportLocalRun: endpoint({
    ...door,
    ...ofRun,
    id: 'reportLocalRun',
    path: '/v1/local-runs/{runId}/events',
    summary: 'Adds to the answer of a claimed run, extends its lease, and answers whether to stop',
    body: LocalRunEventsRequest,
    largeBody: { bytes: 4_000_000, members: 500 },
    reply: LocalRunProgress,
  }),
  finishLocalRun: endpoint({
    ...door,
    ...ofRun,
    id: 'finishLocalRun',
    path: '/v1/local-runs/{runId}/finish',
    summary: 'Ends a claimed run; the same request again has no further effect',
    body: LocalRunFinishRequest,
    largeBody: { bytes: 8_000_000, members: 50 },
    reply: LocalRunFinished,
  }),
} as const;
