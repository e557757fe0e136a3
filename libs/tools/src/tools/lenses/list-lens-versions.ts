import { dateTime, list, nestedKind, text, uuid } from '@lensforge/contracts';
import { listLensVersions } from '@lensforge/lenses';
import { lensId } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;
}

class VersionItem {
  @uuid()
  id!: string;

  @text({ description: 'The number of the version, such as 1.2.0.' })
  semver!: string;

  @dateTime()
  created_at!: string;

  @text({ description: 'Changes since the previous version.' })
  changelog!: string;
}

class Result {
  @list(nestedKind(() => VersionItem), { max: 1_000_000, description: 'The newest first.' })
  items!: VersionItem[];
}

export const listLensVersionsTool = tool({
  name: 'list_lens_versions',
  class: 'Read',
  rate: 'list',
  title: 'List versions of a lens',
  description:
    'Lists the versions of a lens, newest first: id, semver, created_at and changelog of each. Use it to see the history of a lens or to find an id to pin in run_lens. It has no ' +
    'template texts: get_lens_version has.',
  scope: 'lenses:read',
  args: Args,
  result: Result,
  text: ({ items }, { lens_id }) => (items.length > 0 ? items : { lens_id, versions: [], count: 0 }),
  errors: ['NOT_FOUND'],
  run: async (ctx, args) => {
    const { versions } = await listLensVersions(ctx, { lensId: args.lens_id });
    const items = versions.map(({ createdAt, changelog, id, semver }) => ({
      id,
      semver,
      created_at: createdAt,
      changelog,
    }));
    return { items };
  },
});
