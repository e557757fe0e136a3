import { type LensVisibility, createLens, getLens } from '@lensforge/lenses';
import { requireLenser } from '../../lenser.js';
import { ParamArgument, params, templateBody, title, visibility } from '../../parameters.js';
import { LensResult, lensResult } from '../../results/lens.js';
import { tool } from '../../tool.js';

class Args {
  @title({ description: 'The purpose of the lens, in a few words.' })
  title!: string;

  @templateBody({
    description: 'The prompt. [[Name]] must be filled in, [[Name!]] may be left empty, \\[[ is a plain [[.',
  })
  template_body!: string;

  @visibility({ description: 'public: everyone; community: everyone who has signed in; private: you.' })
  visibility: LensVisibility = 'public';

  @params()
  params?: ParamArgument[];
}

export const createLensTool = tool({
  name: 'create_lens',
  class: 'Write',
  rate: 'create',
  title: 'Create a lens',
  description:
    'Saves a prompt template as a new lens of yours, published as version 1.0.0. Use it when the user wants to keep a ' +
    'prompt for later or for others. To change a lens of yours, use update_lens; to start from a lens of ' +
    'another author, use fork_lens. It is public unless you say otherwise.',
  scope: 'lenses:write',
  args: Args,
  result: LensResult,
  errors: ['BAD_INPUT', 'MISSING_LENSER'],
  run: async (ctx, { title, template_body, visibility, params }) => {
    requireLenser(ctx);
    const { lens } = await createLens(ctx, { title, templateBody: template_body, visibility, params });
    return lensResult(await getLens(ctx, lens.id));
  },
});
