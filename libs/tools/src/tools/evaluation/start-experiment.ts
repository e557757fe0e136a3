import { ExperimentGate, Scorer, integer, list, nested, nestedKind, text, uuid } from '@lensforge/contracts';
import { createExperiment, readExperiment } from '@lensforge/evaluation';
import { requireLenser } from '../../lenser.js';
import { templateBody } from '../../parameters.js';
import { ExperimentResult, experimentResult } from '../../results/evaluation.js';
import { tool } from '../../tool.js';

class ArmArgument {
  @text({
    min: 1,
    max: 100,
    pattern: /^[\w.@-]+$/,
    optional: true,
    description: 'Its name; the version when left out.',
  })
  name?: string;

  @text({
    min: 1,
    max: 64,
    optional: true,
    description: 'The id, number or label of a version; the newest when left out.',
  })
  version?: string;

  @templateBody({ optional: true, description: 'A text of your lens to try in place of a version, without saving it.' })
  template_body?: string;

  @text({ min: 1, max: 200, optional: true, description: 'A model in place of that of the version.' })
  model?: string;
}

class Args {
  @uuid({ optional: true, description: 'The lens to try; else give workflow_id.' })
  lens_id?: string;

  @uuid({ optional: true, description: 'The workflow to try.' })
  workflow_id?: string;

  @uuid({ description: 'The dataset, as list_datasets gives it.' })
  dataset_id!: string;

  @list(nestedKind(() => ArmArgument), { min: 1, max: 8, description: 'What is compared.' })
  arms!: ArmArgument[];

  @list(nestedKind(() => Scorer), { min: 1, max: 20, description: 'How answers are scored.' })
  scorers!: Scorer[];

  @text({ min: 1, max: 100, optional: true, description: 'The name of the arm that the others are compared with.' })
  baseline?: string;

  @nested(() => ExperimentGate, { optional: true, description: 'Conditions on the arms other than the baseline.' })
  gate?: ExperimentGate;

  @integer({ min: 1, max: 20, description: 'How often each case is answered.' })
  repetitions = 1;

  @integer({ min: 0, optional: true, description: 'The most credits that it may cost.' })
  budget?: number;
}

export const startExperimentTool = tool({
  name: 'start_experiment',
  class: 'Execute',
  rate: 'run',
  title: 'Start an experiment',
  description:
    'Runs each case of a dataset with each arm, scores the answers, and compares the arms with the baseline. Use it to know ' +
    'whether a changed prompt is better before you save it with update_lens. It costs model calls; follow it with ' +
    'get_experiment, and read single answers with list_experiment_cells.',
  scope: 'lenses:write',
  args: Args,
  result: ExperimentResult,
  errors: ['NOT_FOUND', 'BAD_INPUT', 'FORBIDDEN', 'MISSING_LENSER'],
  names: { templateBody: 'template_body', modelOverride: 'model' },
  run: async (ctx, { lens_id, workflow_id, dataset_id, arms, baseline, gate, budget, ...rest }) => {
    requireLenser(ctx);
    const { id } = await createExperiment(ctx, {
      ...rest,
      target: {
        ...(lens_id !== undefined && { lensId: lens_id }),
        ...(workflow_id !== undefined && { workflowId: workflow_id }),
      },
      dataset: { id: dataset_id },
      arms: arms.map(({ name, version, template_body, model }) => ({
        ...(name !== undefined && { name }),
        ...(version !== undefined && { version }),
        ...(template_body !== undefined && { candidate: { templateBody: template_body } }),
        ...(model !== undefined && { modelOverride: model }),
      })),
      ...(baseline !== undefined && { baseline }),
      ...(gate && { gate }),
      ...(budget !== undefined && { budget }),
    });
    return experimentResult(await readExperiment(ctx, id));
  },
});
