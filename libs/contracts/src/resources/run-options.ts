import { dateTime, integer, list, oneOf, record, text } from '../schema/field.js';
import { textKind } from '../schema/kinds.js';

export const concurrencyStrategies = ['queue', 'cancel-in-progress', 'cancel-newest'] as const;
export type ConcurrencyStrategy = (typeof concurrencyStrategies)[number];

const mostDelaySeconds = 30 * 24 * 3600;

/** Which runs shall not execute at the same time. */
export class Concurrency {
  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'Of your runs of this lens or workflow with the same key one executes at a time.',
  })
  concurrencyKey?: string;

  @oneOf(concurrencyStrategies, {
    optional: true,
    description:
      'When another run of the key is on its way: wait for it (queue, the default), cancel it and those that wait, or be canceled.',
  })
  concurrencyStrategy?: ConcurrencyStrategy;
}

/** How a run shall be treated, whatever it runs. */
export class RunOptions extends Concurrency {
  @list(textKind({ min: 1, max: 50 }), { max: 20, optional: true, description: 'To find and follow runs by.' })
  tags?: string[];

  @record({ optional: true, description: 'Your own notes, at most 8 KB as JSON.' })
  metadata?: Record<string, unknown>;

  @integer({
    min: -10,
    max: 10,
    optional: true,
    description:
      'Among the waiting runs of your account; each point counts as much as a minute of waiting. 0 when absent.',
  })
  priority?: number;

  @dateTime({ optional: true, description: 'Not before this moment, which is at most 30 days ahead.' })
  startAt?: string;

  @integer({ min: 0, max: mostDelaySeconds, optional: true, description: 'Not before so many seconds from now.' })
  delaySeconds?: number;

  @integer({
    min: 1,
    max: mostDelaySeconds,
    optional: true,
    description: 'How long it may wait for its start, once it is due, before it ends as timed_out.',
  })
  expiresInSeconds?: number;

  @integer({
    min: 1,
    max: 86_400,
    optional: true,
    description: 'How long it may execute before it ends as timed_out; at most what the platform allows.',
  })
  timeoutSeconds?: number;

  @integer({
    min: 0,
    optional: true,
    description: 'Credits that it costs at most; refused when the estimate is higher.',
  })
  maxCredits?: number;
}
