import type { DatasetChange, RunSelection } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { readRun, readRunInput } from '@lensforge/runs';
import { readableDataset } from './access.js';
import { changeCases } from './change-cases.js';
import { maskPersonalData } from './mask-personal-data.js';
import { selectRuns } from './scores/select-runs.js';

export interface CasesOfRuns {
  datasetId: string;
  runIds?: readonly string[] | undefined;
  /** Runs by a filter, when no ids are given. */
  filter?: RunSelection | undefined;
  /** True when the output of a run is what is expected. */
  withOutput?: boolean | undefined;
  tags?: string[] | undefined;
  /** True to mask personal data that has a form of its own. */
  mask?: boolean | undefined;
}

/** Makes a case of each run of the caller, with the id of the run as its key. */
export async function addCasesFromRuns(
  ctx: Context,
  { datasetId, runIds, filter, withOutput = false, tags = [], mask = false }: CasesOfRuns,
): Promise<DatasetChange> {
  await readableDataset(ctx, datasetId);
  if ((runIds === undefined) === (filter === undefined)) {
    throw badInput('runIds', 'or a filter is required, and one of them only');
  }
  const ids = runIds ?? (await selectRuns(ctx, filter ?? {}));
  const save = [];
  for (const [index, runId] of [...new Set(ids)].entries()) {
    const { params } = await readRunInput(ctx, runId);
    if (params === null) throw badInput(`runIds.${index}`, 'is neither a run of a lens nor of a workflow');
    const expected = withOutput ? await readOutput(ctx, runId) : null;
    const content = { params, expected };
    save.push({ key: runId.toLowerCase(), tags, ...(mask ? (maskPersonalData(content) as typeof content) : content) });
  }
  return changeCases(ctx, { datasetId, save, message: 'Made of runs' });
}

async function readOutput(ctx: Context, runId: string): Promise<unknown> {
  const { artifacts } = await readRun(ctx, runId);
  const output = artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput);
  return output?.contentText ?? output?.contentJson ?? null;
}
