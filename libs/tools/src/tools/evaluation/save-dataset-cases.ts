import { DatasetCaseInput, integer, list, nestedKind, text, textKind, uuid } from '@lensforge/contracts';
import { badInput } from '@lensforge/core';
import { changeCases, createDataset } from '@lensforge/evaluation';
import { requireLenser } from '../../lenser.js';
import { tool } from '../../tool.js';

class Args {
  @uuid({ optional: true, description: 'The dataset; a new one with this name when left out.' })
  dataset_id?: string;

  @text({ min: 1, max: 200, optional: true, description: 'The name of a new dataset.' })
  name?: string;

  @list(nestedKind(() => DatasetCaseInput), {
    max: 200,
    optional: true,
    description: 'Cases to add, or to replace by their keys.',
  })
  save?: DatasetCaseInput[];

  @list(textKind({ min: 1, max: 200 }), { max: 200, optional: true, description: 'Keys of cases to remove.' })
  remove?: string[];
}

class Result {
  @uuid()
  dataset_id!: string;

  @integer({ min: 0, description: 'The revision after the change; earlier ones stay.' })
  revision!: number;

  @integer({ min: 0, description: 'The number of cases in it.' })
  cases!: number;
}

export const saveDatasetCasesTool = tool({
  name: 'save_dataset_cases',
  class: 'Write',
  rate: 'write',
  title: 'Save cases of a dataset',
  description:
    'Adds, replaces and removes cases of a dataset as one new revision, or creates a dataset with them. A case has a key, ' +
    'params for the parameters of a lens or the inputs of a workflow, and the expected answer. Then use start_experiment.',
  scope: 'lenses:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'BAD_INPUT', 'CONFLICT', 'MISSING_LENSER'],
  run: async (ctx, { dataset_id, name, save = [], remove = [] }) => {
    requireLenser(ctx);
    if ((dataset_id === undefined) === (name === undefined)) {
      throw badInput('dataset_id', 'is for an existing dataset, and name for a new one: give one of them');
    }
    const id = dataset_id ?? (await createDataset(ctx, { name: name ?? '' })).id;
    const { revision, cases } = await changeCases(ctx, { datasetId: id, save, remove });
    return { dataset_id: id, revision, cases };
  },
});
