import type { GateOutcome, GateRule, ScorerResult } from '@lensforge/contracts';
import { type Analysed, type ScoreTable, analyseScorer } from './analyse.js';
import { decideGate } from './gate.js';

/** The scores of an experiment. Cases have the same order in all tables. */
export interface Analysis {
  seed: number;
  baseline: number | null;
  scorers: readonly string[];
  cases: readonly { key: string; tags: readonly string[] }[];
  arms: readonly {
    name: string;
    missing: number;
    creditsPerCase: number;
    latencyP95Ms: number | null;
    /** One for each scorer. */
    tables: readonly ScoreTable[];
  }[];
  rules: readonly GateRule[] | null;
}

export interface AnalysisResult {
  /** One list for each arm, with a result for each scorer. */
  results: ScorerResult[][];
  outcome: GateOutcome | null;
}

function analyse({ seed, baseline, scorers, cases, arms, rules }: Analysis): AnalysisResult {
  const byScorer = scorers.map((scorer, index) =>
    analyseScorer(
      scorer,
      arms.map(({ tables }) => tables[index] as ScoreTable),
      { baseline, seed },
    ),
  );
  const analysedOf = (arm: number): Analysed[] => byScorer.map((each) => each[arm] as Analysed);
  const candidates = arms.map((arm, index) => ({ arm, index })).filter(({ index }) => index !== baseline);
  const outcome =
    rules &&
    decideGate(
      rules,
      candidates.map(({ arm: { tables, ...arm }, index }) => ({
        ...arm,
        missingInBaseline: baseline === null ? 0 : (arms[baseline]?.missing ?? 0),
        scorers: new Map(
          scorers.map((scorer, at) => [
            scorer,
            { ...(tables[at] as ScoreTable), comparison: analysedOf(index)[at]?.comparison ?? null },
          ]),
        ),
        newFailures:
          baseline === null
            ? []
            : cases.filter((_, at) => passesAll(arms[baseline]?.tables, at) && !passesAll(tables, at)),
      })),
    );
  return { results: arms.map((_, arm) => analysedOf(arm).map(({ result }) => result)), outcome };
}

/** True when a case passes all scorers in at least half of its repetitions. */
const passesAll = (tables: readonly ScoreTable[] = [], at: number): boolean =>
  tables.every(({ passes }) => {
    const each = passes[at] ?? [];
    return each.filter(Boolean).length * 2 >= each.length;
  });

export const analysisTasks = { analyse };
export const tasks = analysisTasks;
