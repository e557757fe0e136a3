import { integer, oneOf, text } from '../schema/field.js';
import { type ExperimentStatus, experimentStatuses } from '../resources/experiments.js';
import { type GateResult, gateResults } from '../resources/gates.js';
import type { Shape } from '../schema/rules.js';

export class ExperimentProgress {
  @integer({ min: 0, description: 'Cells with a score or an error.' })
  done!: number;

  @integer({ min: 0, description: 'All cells.' })
  of!: number;
}

export class ExperimentStatusChanged {
  @oneOf(experimentStatuses)
  status!: ExperimentStatus;

  @text({ nullable: true, description: 'Why it is incomplete.' })
  reason!: string | null;

  @oneOf(gateResults, {
    nullable: true,
    description: 'The result of its gate; null before its end and without a gate.',
  })
  gate!: GateResult | null;
}

/** The events of an experiment, with the classes of their payloads. */
export const experimentEvents = {
  'cells.scored': ExperimentProgress,
  'status.changed': ExperimentStatusChanged,
} as const satisfies Record<string, Shape>;

export type ExperimentEventType = keyof typeof experimentEvents;

/** An event before it has its sequence number. */
export type NewExperimentEvent = {
  [T in ExperimentEventType]: { type: T; payload: InstanceType<(typeof experimentEvents)[T]> };
}[ExperimentEventType];

/** Statuses in which a stream ends; an incomplete experiment can be resumed. */
export const endedExperimentStatuses: readonly ExperimentStatus[] = ['completed', 'incomplete', 'canceled'];

/** The pub/sub channel of an experiment: the number of its last event, published after its commit. */
export const experimentChannel = (experimentId: string): string => `experiment:${experimentId}`;
