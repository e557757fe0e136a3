import type { shapes } from '@lensforge/sdk';

/** A version as an experiment has scored it. */
export interface TriedVersion extends shapes.ExperimentArmItem {
  experimentId: string;
  at: string;
}

export interface ScoreHistory {
  /** The names of the scorers, those of the newest experiment first. */
  scorers: string[];
  tried: TriedVersion[];
}

/** The scored arms of ended experiments, in the order of the experiments. */
export function toHistory(experiments: readonly shapes.ExperimentItem[]): ScoreHistory {
  const tried = experiments.flatMap(({ id, completedAt, arms }) =>
    completedAt === null
      ? []
      : arms.filter(({ scores }) => scores.length > 0).map((arm) => ({ ...arm, experimentId: id, at: completedAt })),
  );
  const scorers = [...new Set(tried.flatMap(({ scores }) => scores.map(({ scorer }) => scorer)))];
  return { scorers, tried };
}

/** The newest result of a gate for each version, of experiments in which callers would get the same answers. */
export function gateResults(
  experiments: readonly shapes.ExperimentItem[],
): Map<string, NonNullable<shapes.ExperimentArmItem['gateResult']>> {
  const decided = experiments.flatMap(({ arms }) =>
    arms.flatMap(({ version, isCandidate, modelOverride, gateResult }) =>
      gateResult === null || isCandidate || modelOverride !== null ? [] : [[version, gateResult] as const],
    ),
  );
  // The newest one comes first, and the last one of a key stays.
  return new Map(decided.toReversed());
}
