import { list, textKind, uuid } from '@lensforge/contracts';
import { extractLensParams } from '@lensforge/lenses';
import { lensId, versionId } from '../../parameters.js';
import { ParamResult, maxParams, paramList } from '../../results/lens.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;

  @versionId()
  version_id?: string;
}

class Result {
  @uuid()
  lens_id!: string;

  @uuid()
  version_id!: string;

  @paramList()
  params!: ParamResult[];

  @list(textKind(), { max: maxParams, description: 'The tokens in the template, such as [[Name]] and [[Tone!]].' })
  raw_tokens_in_template!: string[];
}

export const extractLensParamsTool = tool({
  name: 'extract_lens_params',
  class: 'Read',
  rate: 'read',
  title: 'Extract the parameters of a lens',
  description:
    'Answers with the parameters that a lens wants filled in, and which of them may be left out. Use it before run_lens ' +
    'to know what to ask the user for. To check values you already have, use validate_lens_params.',
  scope: 'lenses:read',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND'],
  run: async (ctx, { lens_id, version_id }) => {
    const found = await extractLensParams(ctx, { lensId: lens_id, version: version_id });
    const { lensId: id, versionId: version, params, rawTokensInTemplate } = found;
    return { lens_id: id, version_id: version, params, raw_tokens_in_template: rawTokensInTemplate };
  },
});
