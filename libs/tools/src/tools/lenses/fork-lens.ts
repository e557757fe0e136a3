import { uuid } from '@lensforge/contracts';
import { type LensVisibility, forkLens, getLens } from '@lensforge/lenses';
import { requireLenser } from '../../lenser.js';
import { lensId, templateBody, title, visibility } from '../../parameters.js';
import { LensResult, lensResult } from '../../results/lens.js';
import { tool } from '../../tool.js';

class Args {
  @lensId('The public or community lens to fork.')
  source_lens_id!: string;

  @title({ optional: true, description: "'Fork of {id}' when left out." })
  title?: string;

  @templateBody({ optional: true, description: 'The text of the fork; that of the source when left out.' })
  template_body?: string;

  @visibility({
    optional: true,
    description: 'The visibility of the fork; public when left out, community when a community forks a community lens.',
  })
  visibility?: LensVisibility;
}

class Result extends LensResult {
  @uuid()
  forked_from!: string;
}

export const forkLensTool = tool({
  name: 'fork_lens',
  class: 'Write',
  rate: 'create',
  title: 'Fork a lens',
  description:
    'Creates a lens of yours from a public or community one, with its text or your own; the source stays as it ' +
    'is. Use it to adapt what you may not change. To change a lens of yours, use update_lens; to start from nothing, ' +
    'use create_lens.',
  scope: 'lenses:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'BAD_INPUT', 'MISSING_LENSER'],
  run: async (ctx, { source_lens_id: sourceLensId, title, template_body, visibility }) => {
    requireLenser(ctx);
    const { lens } = await forkLens(ctx, { sourceLensId, title, templateBody: template_body, visibility });
    return { ...lensResult(await getLens(ctx, lens.id)), forked_from: sourceLensId.toLowerCase() };
  },
});
