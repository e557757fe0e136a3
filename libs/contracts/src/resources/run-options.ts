import { dateTime, integer, list, oneOf, record, text } from '../schema/field.js';
import { textKind } from '../schema/kinds.js';

export const concurrencyStrategies = ['queue', 'cancel-in-progress', 'cancel-newest'] as const;
export type ConcurrencyStrategy = (typeof concurrencyStrategies)[number];

const maxDelaySeconds = 30 * 24 * 3600;

export const idempotencyKey = {
  min: 1,
  max: 255,
  optional: true,
  description: 'A repeated request with the same key within 24 hours returns the same run.',
} as const;

export const stickyKey = {
  min: 1,
  max: 255,
  optional: true,
  description:
    'Decides which arm of a label the run gets, for example the id of a user of yours: the same key always gets the same arm. Your account when absent.',
} as const;

/** A concurrency key: of the runs with the same key, one executes at a time. */
export class Concurrency {
  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'Of your runs of this lens or workflow with the same key, one executes at a time.',
  })
  concurrencyKey?: string;

  @oneOf(concurrencyStrategies, {
    optional: true,
    description:
      'When another run with the key has not ended: queue (default) waits for it, cancel-in-progress cancels it and the waiting ones, cancel-newest cancels this run.',
  })
  concurrencyStrategy?: ConcurrencyStrategy;
}

/** Options of every run of a lens or workflow. */
export class RunOptions extends Concurrency {
  @list(textKind({ min: 1, max: 50 }), { max: 20, optional: true, description: 'Tags to find and follow runs by.' })
  tags?: string[];

  @text(stickyKey)
  stickyKey?: string;

  @record({ optional: true, description: 'Your own notes, at most 8 KB as JSON.' })
  metadata?: Record<string, unknown>;

  @integer({
    min: -10,
    max: 10,
    optional: true,
    description:
      'The priority among the waiting runs of your account; each point counts as one minute of waiting. 0 when absent.',
  })
  priority?: number;

  @dateTime({ optional: true, description: 'The earliest start, at most 30 days ahead.' })
  startAt?: string;

  @integer({ min: 0, max: maxDelaySeconds, optional: true, description: 'Seconds until the earliest start.' })
  delaySeconds?: number;

  @integer({
    min: 1,
    max: maxDelaySeconds,
    optional: true,
    description: 'How long the run may wait for its start after it is due, before it ends as timed_out.',
  })
  expiresInSeconds?: number;

  @integer({
    min: 1,
    max: 86_400,
    optional: true,
    description: 'How long the run may execute before it ends as timed_out; at most the limit of the platform.',
  })
  timeoutSeconds?: number;

  @integer({
    min: 0,
    optional: true,
    description: 'The maximum cost in credits; the run is refused when its estimate is higher.',
  })
  maxCredits?: number;
}
