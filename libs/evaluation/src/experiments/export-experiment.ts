import type { ExperimentCell, ExperimentFormat } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { stringify as writeCsv } from 'csv-stringify/sync';
import type { DatasetFile } from '../dataset-file.js';
import { readableExperiment } from './experiment-access.js';
import type { StoredExperiment } from './experiment.entity.js';
import { writeJunit } from './junit.js';
import { everyCell } from './list-cells.js';
import { writePromptfooJson } from './promptfoo-json.js';

/** All cells of an experiment as a file. */
export async function exportExperiment(
  ctx: Context,
  { experimentId, format }: { experimentId: string; format: ExperimentFormat },
): Promise<DatasetFile> {
  const experiment = await readableExperiment(ctx, experimentId);
  const cells = everyCell(ctx, { experimentId: experiment.id });
  return writers[format](experiment, cells);
}

type Cells = AsyncIterable<ExperimentCell>;

const writers: Readonly<Record<ExperimentFormat, (experiment: StoredExperiment, cells: Cells) => DatasetFile>> = {
  ndjson: (_, cells) => ({ mediaType: 'application/x-ndjson', parts: toLines(cells) }),
  csv: (experiment, cells) => ({ mediaType: 'text/csv', parts: toCsv(experiment, cells) }),
  promptfoo: (experiment, cells) => ({ mediaType: 'application/json', parts: writePromptfooJson(experiment, cells) }),
  junit: (experiment, cells) => ({ mediaType: 'application/xml', parts: writeJunit(experiment, cells) }),
};

async function* toLines(cells: Cells): AsyncGenerator<string> {
  for await (const cell of cells) yield `${JSON.stringify(cell)}\n`;
}

async function* toCsv({ scorers }: StoredExperiment, cells: Cells): AsyncGenerator<string> {
  const names = scorers.map(({ name }) => name);
  const perScorer = names.flatMap((name) => [`score:${name}`, `pass:${name}`, `reason:${name}`]);
  yield writeCsv([
    ['key', 'arm', 'repetition', 'state', 'output', 'error', 'credits', 'latencyMs', 'runId', ...perScorer],
  ]);
  for await (const { key, arm, repetition, state, output, error, credits, latencyMs, runId, scores } of cells) {
    const values =
      scores.length === 0
        ? perScorer.map(() => '')
        : scores.flatMap(({ score, pass, reason }) => [score, String(pass), reason]);
    yield writeCsv([[key, arm, repetition, state, output, error, credits, latencyMs, runId, ...values]]);
  }
}
