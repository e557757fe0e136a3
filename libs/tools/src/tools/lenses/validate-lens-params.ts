import { flag, integer, list, textKind } from '@lensforge/contracts';
import { validateLensParams } from '@lensforge/lenses';
import { lensId, paramValues, versionId } from '../../parameters.js';
import { maxParams } from '../../results/lens.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;

  @versionId()
  version_id?: string;

  @paramValues('The values to check, by the labels of the parameters; upper and lower case are the same.')
  values!: Record<string, string>;
}

class Result {
  @flag({ description: 'True when run_lens would return a prompt.' })
  valid!: boolean;

  @list(textKind(), { max: maxParams, description: 'Labels of required parameters without a value.' })
  missing!: string[];

  @list(textKind(), { description: 'Names that the lens does not have; they are ignored.' })
  unknown!: string[];

  @integer()
  total_params!: number;

  @integer()
  provided!: number;
}

export const validateLensParamsTool = tool({
  name: 'validate_lens_params',
  class: 'Read',
  rate: 'read',
  title: 'Check values for a lens',
  description:
    'Checks values for run_lens: which required parameters are missing and which names are unknown. Use it to check ' +
    'before asking the user again. It answers with no prompt: run_lens does, and also names what is missing.',
  scope: 'lenses:read',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND'],
  run: async (ctx, { lens_id, version_id, values }) => {
    const { valid, missing, unknown, totalParams, provided } = await validateLensParams(ctx, {
      lensId: lens_id,
      version: version_id,
      values,
    });
    return { valid, missing, unknown, total_params: totalParams, provided };
  },
});
