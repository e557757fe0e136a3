import { oneOf, uuid } from '@lensforge/contracts';
import { type LensVisibility, setLensVisibility } from '@lensforge/lenses';
import { lensId, lensVisibilities, visibility } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;

  @visibility({ description: 'public: everyone; community: everyone who has signed in; private: you.' })
  visibility!: LensVisibility;
}

class Result {
  @uuid()
  lens_id!: string;

  @oneOf(lensVisibilities)
  visibility!: LensVisibility;
}

export const setLensVisibilityTool = tool({
  name: 'set_lens_visibility',
  class: 'Write',
  rate: 'write',
  title: 'Set who can see a lens',
  description:
    'Sets who can see a lens of yours. Use it to publish a private lens or to take one back from others without ' +
    'archiving it. It makes no version. To change the text as well, update_lens does both.',
  scope: 'lenses:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: async (ctx, { lens_id, visibility: wanted }) => {
    const { lensId: id, visibility } = await setLensVisibility(ctx, { lensId: lens_id, visibility: wanted });
    return { lens_id: id, visibility };
  },
});
