import { list, nestedKind, oneOf, text, textKind, uuid } from '@lensforge/contracts';
import { type LensVisibility, findAndRunLens } from '@lensforge/lenses';
import { paramValues, searchQuery, visibility } from '../../parameters.js';
import { ParamResult, maxParams } from '../../results/lens.js';
import { tool } from '../../tool.js';

class Args {
  @searchQuery('The topic or task of the lens.')
  query!: string;

  @paramValues('Values for the parameters that you know, by label.')
  param_values: Record<string, string> = {};

  @visibility({ optional: true, description: 'Only lenses of this tier.' })
  visibility?: LensVisibility;
}

class Result {
  @oneOf(['ready', 'needs_params', 'no_match'])
  status!: string;

  @text({ max: 1_000_000, optional: true, description: 'When ready: for you to carry out.' })
  resolved_prompt?: string;

  @text({ optional: true })
  lens_title?: string;

  @text({ optional: true })
  lens_description?: string;

  @uuid({ optional: true })
  lens_id?: string;

  @list(textKind(), {
    max: maxParams,
    optional: true,
    description: 'When it needs params: the labels without a value.',
  })
  missing?: string[];

  @list(nestedKind(() => ParamResult), { max: maxParams, optional: true })
  all_parameters?: ParamResult[];

  @text({ optional: true, description: 'When nothing matches: the query.' })
  query?: string;
}

export const findAndRunLensTool = tool({
  name: 'find_and_run_lens',
  class: 'Execute',
  rate: 'expensive',
  title: 'Find a lens and run it',
  description:
    'Takes the published lens that fits a description best and fills it in. Use it when the user names a task and no ' +
    'lens. status says what to do: ready, carry out resolved_prompt yourself; needs_params, ask for the missing values ' +
    'and call run_lens with lens_id; no_match, no lens fits. To choose among several, use search_lenses instead.',
  scope: 'lenses:read',
  args: Args,
  result: Result,
  names: { params: 'param_values' },
  run: async (ctx, { query, param_values, visibility }): Promise<Result> => {
    const found = await findAndRunLens(ctx, { query, paramValues: param_values, visibility });
    if (found.status === 'no_match') return found;
    const { status, lensTitle: lens_title, lensId: lens_id } = found;
    if (found.status === 'ready') {
      const { resolvedPrompt: resolved_prompt, lensDescription: lens_description } = found;
      return { status, resolved_prompt, lens_title, lens_description, lens_id };
    }
    return { status, missing: found.missing, all_parameters: found.allParameters, lens_title, lens_id };
  },
});
