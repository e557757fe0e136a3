import { getLens } from '@lensforge/lenses';
import { lensId } from '../../parameters.js';
import { LensResult, lensResult } from '../../results/lens.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;
}

export const getLensTool = tool({
  name: 'get_lens',
  class: 'Read',
  rate: 'read',
  title: 'Get a lens',
  description:
    'Answers with one lens: its title, state, parameters and, in versions, the text of its newest version. Use it to ' +
    'read or judge a template before you change or fork it. To get a prompt with values filled in, use run_lens; for ' +
    'an older text, use get_lens_version.',
  scope: 'lenses:read',
  args: Args,
  result: LensResult,
  errors: ['NOT_FOUND'],
  run: async (ctx, { lens_id: id }) => lensResult(await getLens(ctx, id)),
});
