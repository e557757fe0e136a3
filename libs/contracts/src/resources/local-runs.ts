import { defineEndpoints } from '../catalogue/endpoint.js';
import { flag, integer, json, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind, textKind } from '../schema/kinds.js';
import { Sampling } from './models.js';
import { RunMessage } from './run-message.js';
import { RunPath, type RunStatus, runStatuses } from './runs.js';

const maxCharacters = 2_000_000;
const leaseToken = { min: 1, description: 'The lease token of the claim.' };
const after = {
  min: 0,
  description: 'The sequence number of the previous reply, so that a repeated call adds nothing.',
};

export class LocalRunClaimRequest {
  @text({ min: 1, max: 100, pattern: /\S/, description: 'The name of the runner.' })
  runner = 'runner';

  @integer({ min: 0, max: 20, description: 'Seconds to wait for a run when there is none.' })
  waitSeconds = 0;
}

export class LocalRunModel {
  @text()
  provider!: string;

  @text()
  key!: string;
}

export class LocalRunLease {
  @integer({ min: 1, description: 'The token to send with every call for the run; a later claim has another one.' })
  token!: number;

  @integer({ min: 0, description: 'The run is queued again when the runner sends no call for this time.' })
  ms!: number;
}

export class LocalRun {
  @uuid()
  runId!: string;

  @nested(() => LocalRunLease)
  lease!: LocalRunLease;

  @integer({ min: 1, description: 'The sequence number of the last event; send it as `after` with the next call.' })
  sequence!: number;

  @text({ max: 10_000_000, description: 'The lens with its parameters filled in.' })
  prompt!: string;

  @list(nestedKind(() => RunMessage), {
    max: 2000,
    nullable: true,
    description:
      'The parts of the prompt with their roles, for a lens with messages; null when the prompt is one text.',
  })
  messages!: RunMessage[] | null;

  @nested(() => LocalRunModel, { description: 'The requested model; a runner may use another one.' })
  model!: LocalRunModel;

  @integer({ min: 1, description: 'The maximum length of the answer, in tokens.' })
  maxOutputTokens!: number;

  @nested(() => Sampling, {
    description: 'The requested choice of words; a runner uses the members that its server knows.',
  })
  sampling!: Sampling;

  @json({ description: 'The requested temperature, or null.' })
  temperature!: number | null;

  @json({ description: 'The JSON Schema that the answer must match, or null.' })
  outputSchema!: Record<string, unknown> | null;

  @integer({ min: 0, description: 'Milliseconds until the run times out.' })
  msToDeadline!: number;
}

export class LocalRunClaimed {
  @nested(() => LocalRun, { nullable: true, description: 'null when no run is waiting.' })
  run!: LocalRun | null;
}

export class LocalRunEventsRequest {
  @integer(leaseToken)
  leaseToken!: number;

  @integer(after)
  after!: number;

  @list(textKind({ min: 1, max: 32_768 }), {
    max: 100,
    description: 'Parts of the answer, in order. An empty list only extends the lease.',
  })
  deltas: string[] = [];

  @list(textKind({ min: 1, max: 2000 }), { max: 20, description: 'Log messages of the runner.' })
  log: string[] = [];
}

export class LocalRunProgress {
  @flag({ description: 'true: stop, and finish the run with the outcome canceled.' })
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

  @oneOf(outcomes, { description: 'canceled is valid only after a reply with cancel true.' })
  outcome!: (typeof outcomes)[number];

  @text({ max: maxCharacters, optional: true, description: 'The whole answer, for the outcome succeeded.' })
  text?: string;

  @text({ min: 1, max: 1000, optional: true, description: 'The fault, for the outcome failed.' })
  error?: string;

  @nested(() => LocalRunUsage, { optional: true, description: 'The tokens of prompt and answer, if known.' })
  usage?: LocalRunUsage;
}

export class LocalRunFinished {
  @uuid()
  runId!: string;

  @oneOf(runStatuses)
  status!: RunStatus;
}

const maxWaitSeconds = 20;
// A runner reports five times a second, so its calls count as reads, which have the highest limit.
const base = { scopes: ['lenses:read'], audience: 'people', rate: 'read' } as const;

export const localRunEndpoints = defineEndpoints({
  claimLocalRun: {
    ...base,
    route: 'POST /v1/local-runs/claim',
    summary:
      "Takes the oldest run of the caller that waits for the caller's own machine; waits for one when there is none",
    description:
      'For a runner on the machine of the user, with fundingSource user_byok_local. Waits up to waitSeconds when there is no run; the reply has a lease token that the other requests need.',
    body: LocalRunClaimRequest,
    reply: LocalRunClaimed,
    waitsMs: maxWaitSeconds * 1000,
  },
  reportLocalRun: {
    ...base,
    route: 'POST /v1/local-runs/{runId}/events',
    summary: 'Adds to the answer of a claimed run, extends its lease, and returns a request to stop',
    description:
      'Send parts of the answer as they arrive, or an empty list as a heartbeat. When cancel is true, stop and finish the run with the outcome canceled. A lost lease is refused with 409.',
    params: RunPath,
    body: LocalRunEventsRequest,
    largeBody: { bytes: 4_000_000, members: 500 },
    reply: LocalRunProgress,
    errors: [409],
  },
  finishLocalRun: {
    ...base,
    route: 'POST /v1/local-runs/{runId}/finish',
    summary: 'Ends a claimed run; the same request again has no further effect',
    description:
      'Send the whole answer or the fault. After a lost lease the request is refused with 409: another runner may have the run.',
    params: RunPath,
    body: LocalRunFinishRequest,
    largeBody: { bytes: 8_000_000, members: 50 },
    reply: LocalRunFinished,
    errors: [409],
  },
});
