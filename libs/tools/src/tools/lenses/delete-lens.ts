import { flag, uuid } from '@lensforge/contracts';
import { deleteLens } from '@lensforge/lenses';
import { confirmation, lensId } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;

  @confirmation({ description: 'Set it only when the user has said that the lens is to be deleted.' })
  confirm!: true;
}

class Result {
  @flag()
  deleted!: boolean;

  @uuid()
  lens_id!: string;
}

export const deleteLensTool = tool({
  name: 'delete_lens',
  class: 'Destructive',
  rate: 'write',
  title: 'Delete a lens',
  description:
    'Deletes a lens of yours with all its versions, for good; forks of it stay. Ask the user first and then set ' +
    'confirm to true. When they may want it back, use archive_lens.',
  scope: 'lenses:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: async (ctx, args) => {
    const { deleted, lensId: id } = await deleteLens(ctx, args.lens_id);
    return { deleted, lens_id: id };
  },
});
