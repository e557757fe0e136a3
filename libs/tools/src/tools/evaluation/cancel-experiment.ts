import { cancelExperiment } from '@lensforge/evaluation';
import { experimentId } from '../../parameters.js';
import { ExperimentItemResult, experimentItem } from '../../results/evaluation.js';
import { tool } from '../../tool.js';

class Args {
  @experimentId()
  experiment_id!: string;
}

export const cancelExperimentTool = tool({
  name: 'cancel_experiment',
  class: 'Write',
  rate: 'write',
  title: 'Cancel an experiment',
  description:
    'Cancels an experiment of yours with its runs that have not ended; scores that it has stay. Use it when it costs too much ' +
    'or was started with wrong cases.',
  scope: 'lenses:write',
  args: Args,
  result: ExperimentItemResult,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: async (ctx, { experiment_id }) => experimentItem(await cancelExperiment(ctx, experiment_id)),
});
