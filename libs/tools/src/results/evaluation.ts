import {
  type Dataset,
  type Experiment,
  type ExperimentCell,
  type ExperimentItem,
  dateTime,
  decimal,
  flag,
  integer,
  json,
  list,
  nestedKind,
  oneOf,
  experimentStatuses,
  gateResults,
  record,
  recordKind,
  text,
  uuid,
} from '@lensforge/contracts';
import { inSnakeCase, toResult } from './to-result.js';

/** Datasets and experiments as tool results. */

export class DatasetResult {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @text()
  description!: string;

  @integer({ min: 0, description: 'The newest revision; 0 before the first case.' })
  revision!: number;

  @integer({ min: 0, description: 'The number of cases in it.' })
  cases!: number;
}

export const datasetResult = (dataset: Dataset): DatasetResult => toResult(DatasetResult, dataset);

export class ExperimentItemResult {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @oneOf(experimentStatuses)
  status!: string;

  @uuid({ nullable: true })
  lens_id!: string | null;

  @uuid({ nullable: true })
  workflow_id!: string | null;

  @uuid()
  dataset_id!: string;

  @integer({ min: 0, description: 'Cases × arms × repetitions.' })
  cells!: number;

  @integer({ min: 0, description: 'Cells with a score or an error.' })
  cells_done!: number;

  @oneOf(gateResults, { nullable: true, description: 'The result of its gate; null before its end and without one.' })
  gate_result!: string | null;

  @dateTime()
  created_at!: string;
}

export const experimentItem = (item: ExperimentItem): ExperimentItemResult => toResult(ExperimentItemResult, item);

export class ExperimentResult extends ExperimentItemResult {
  @text({ nullable: true, description: 'Why it is incomplete.' })
  reason!: string | null;

  @text({ nullable: true, description: 'The arm that the others are compared with.' })
  baseline!: string | null;

  @integer({ min: 0, description: 'The cost of its ended runs, those of judges included.' })
  credits!: number;

  @list(recordKind(), {
    nullable: true,
    description:
      'For each arm its answers, cost and scores, with the difference from the baseline; null before the end.',
  })
  results!: Record<string, unknown>[] | null;

  @list(recordKind(), { nullable: true, description: 'The rules of the gate with their results and reasons.' })
  gate_rules!: Record<string, unknown>[] | null;
}

export const experimentResult = (experiment: Experiment): ExperimentResult =>
  toResult(ExperimentResult, experiment, {
    gate_result: experiment.outcome?.result ?? null,
    results: inSnakeCase(experiment.results) as Record<string, unknown>[] | null,
    gate_rules: inSnakeCase(experiment.outcome?.rules ?? null) as Record<string, unknown>[] | null,
  });

export class CellScoreResult {
  @text()
  scorer!: string;

  @decimal({ min: 0, max: 1 })
  score!: number;

  @flag()
  pass!: boolean;

  @text()
  reason!: string;
}

export class CellResult {
  @text({ description: 'The key of the case.' })
  key!: string;

  @text()
  arm!: string;

  @integer({ min: 1 })
  repetition!: number;

  @text({ description: 'waiting, running, judging, scored or failed.' })
  state!: string;

  @record({ description: 'The parameters or inputs of the case.' })
  params!: Record<string, unknown>;

  @json({ nullable: true })
  expected!: unknown;

  @text({ nullable: true, description: 'The output; at most its first 4,000 characters.' })
  output!: string | null;

  @text({ nullable: true, description: 'Why there is no score.' })
  error!: string | null;

  @list(nestedKind(() => CellScoreResult))
  scores!: CellScoreResult[];
}

const maxOutput = 4000;

export const cellResult = (cell: ExperimentCell): CellResult =>
  toResult(CellResult, cell, {
    output: cell.output === null ? null : cell.output.slice(0, maxOutput).toWellFormed(),
    scores: cell.scores.map(({ scorer, score, pass, reason }) => ({ scorer, score, pass, reason })),
  });
