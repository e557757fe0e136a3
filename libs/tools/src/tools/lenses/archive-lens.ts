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
    'Archives a lens of yours: lists leave it out and others cannot use it; it can be restored. Use it for what ' +
    'is out of date. To hide a lens and go on working with it, use set_lens_visibility; to delete it for good, delete_lens.',
  scope: 'lenses:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: async (ctx, args) => {
    const { lensId: id, status } = await archiveLens(ctx, args.lens_id);
    return { lens_id: id, status };
  },
});
