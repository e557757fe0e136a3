import { type LensVisibility, updateLens } from '@lensforge/lenses';
import { ParamArgument, lensId, params, templateBody, visibility } from '../../parameters.js';
import { VersionResult, versionResult } from '../../results/lens.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;

  @templateBody({ optional: true, description: 'The new prompt; left out, the text stays as it is.' })
  template_body?: string;

  @visibility({ optional: true, description: 'The new tier; left out, it stays as it is.' })
  visibility?: LensVisibility;

  @params()
  params?: ParamArgument[];
}

export const updateLensTool = tool({
  name: 'update_lens',
  class: 'Write',
  rate: 'write',
  title: 'Update a lens',
  description:
    'Gives a lens of yours a new text and answers with its newest version. A new required or a removed parameter makes a ' +
    'major version, an optional one a minor, text alone a patch; without a change there is no new version. Older ' +
    'versions stay as they are. For the tier alone, use set_lens_visibility.',
  scope: 'lenses:write',
  args: Args,
  result: VersionResult,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'BAD_INPUT'],
  run: async (ctx, { lens_id, template_body, visibility, params }) =>
    versionResult(await updateLens(ctx, { lensId: lens_id, templateBody: template_body, visibility, params })),
});
