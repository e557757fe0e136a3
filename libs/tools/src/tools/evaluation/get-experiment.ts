import { readExperiment } from '@lensforge/evaluation';
import { experimentId } from '../../parameters.js';
import { ExperimentResult, experimentResult } from '../../results/evaluation.js';
import { tool } from '../../tool.js';

class Args {
  @experimentId()
  experiment_id!: string;
}

export const getExperimentTool = tool({
  name: 'get_experiment',
  class: 'Read',
  rate: 'read',
  title: 'Get an experiment',
  description:
    'Returns the progress of an experiment and, after its end, the scores of each arm with intervals, the difference from the ' +
    'baseline and the result of the gate. Use it to follow start_experiment; single answers are in list_experiment_cells.',
  scope: 'lenses:read',
  args: Args,
  result: ExperimentResult,
  errors: ['NOT_FOUND'],
  run: async (ctx, { experiment_id }) => experimentResult(await readExperiment(ctx, experiment_id)),
});
