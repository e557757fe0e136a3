import { oneOf, uuid } from '@lensforge/contracts';
import { archiveLens } from '@lensforge/lenses';
import { lensId } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;
}

class Result {
  @uuid()
  lens_id!: string;

  @oneOf(['archived'])
  status!: 'archived';
}

export const archiveLensTool = tool({
  name: 'archive_lens',
  class: 'Destructive',
  rate: 'write',
  title: 'Archive a lens',
  description:
    'Takes a lens of yours out of listings and away from others; you keep it and can bring it back. Use it for what ' +
    'is out of date. To hide a lens and go on working with it, use set_lens_visibility; to be rid of it, delete_lens.',
  scope: 'lenses:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: async (ctx, args) => {
    const { lensId: id, status } = await archiveLens(ctx, args.lens_id);
    return { lens_id: id, status };
  },
});
