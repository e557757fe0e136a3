import { dateTime, decimal, integer, nested, oneOf, text, uuid } from '../schema/field.js';

const scoreName = { min: 1, max: 100, description: 'The name of a score.' } as const;

/** Runs with a score in a range. */
export class ScoreCondition {
  @text(scoreName)
  name!: string;

  @decimal({ min: 0, max: 1, optional: true, description: 'At least this score.' })
  min?: number;

  @decimal({ min: 0, max: 1, optional: true, description: 'At most this score.' })
  max?: number;
}

/** Runs about which two scorers disagree. */
export class ScorerDifference {
  @text(scoreName)
  first!: string;

  @text(scoreName)
  second!: string;

  @decimal({ min: 0, max: 1, optional: true, description: 'The scores differ by at least this; 0.5 when absent.' })
  by?: number;
}

export const selectedStatuses = ['succeeded', 'failed'] as const;
export type SelectedStatus = (typeof selectedStatuses)[number];

/** Runs of the caller that have ended, the newest first. */
export class RunSelection {
  @uuid({ optional: true, description: 'Runs of this lens; or give workflowId or experimentId.' })
  lensId?: string;

  @uuid({ optional: true, description: 'Runs of this workflow.' })
  workflowId?: string;

  @uuid({ optional: true, description: 'The answers of this experiment.' })
  experimentId?: string;

  @text({ min: 1, max: 60, optional: true, description: 'Only runs of this label.' })
  label?: string;

  @oneOf(selectedStatuses, { optional: true, description: 'failed: runs that failed or timed out. Both when absent.' })
  status?: SelectedStatus;

  @nested(() => ScoreCondition, { optional: true })
  score?: ScoreCondition;

  @nested(() => ScorerDifference, { optional: true })
  differ?: ScorerDifference;

  @dateTime({ optional: true, description: 'Runs accepted at or after this time; 28 days ago when absent.' })
  from?: string;

  @dateTime({ optional: true, description: 'Runs accepted before this time; now when absent.' })
  to?: string;

  @integer({ min: 1, max: 1000, optional: true, description: 'The most runs; 100 when absent.' })
  limit?: number;
}
