/** The position of a step within its node. */
export interface StepRef {
  /** The position of an agent that another one has called; empty for the agent of the node. */
  path: string;
  step: number;
}

/** The part of a run's holds that belongs to a step. */
export const toStepPart = (nodeKey: string, { path, step }: StepRef): string => `${nodeKey}#${path}/${step}`;
