import { listLensVersions } from '@lensforge/lenses';
import { lensId } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;
}

export const listLensVersionsTool = tool({
  name: 'list_lens_versions',
  class: 'Read',
  rate: 'list',
  title: 'List versions of a lens',
  description:
    'Lists the versions of a lens, newest first, as an array of {id, semver, created_at, changelog}; without any it is ' +
    '{lens_id, versions, count}. Use it to see how a lens came about or to find an id to pin in run_lens. It has no ' +
    'template texts: get_lens_version has.',
  scope: 'lenses:read',
  args: Args,
  errors: ['NOT_FOUND'],
  run: async (ctx, args) => {
    const { lensId: id, versions } = await listLensVersions(ctx, { lensId: args.lens_id });
    if (versions.length === 0) return { lens_id: id, versions: [], count: 0 };
    return versions.map(({ createdAt, changelog, ...version }) => ({ ...version, created_at: createdAt, changelog }));
  },
});
