import { text } from '@lensforge/contracts';
import { getLensVersion } from '@lensforge/lenses';
import { lensId, versionId } from '../../parameters.js';
import { VersionResult, versionResult } from '../../results/lens.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;

  @versionId('The id of the version. This or semver is required.')
  version_id?: string;

  @text({ min: 1, max: 100, optional: true, description: 'The number of the version, such as 1.2.0.' })
  semver?: string;
}

export const getLensVersionTool = tool({
  name: 'get_lens_version',
  class: 'Read',
  rate: 'read',
  title: 'Get a version of a lens',
  description:
    'Answers with one version of a lens: text, messages, settings, parameters, changelog. Name it by version_id or by semver; one of them ' +
    'is required. Use it to read an older text or to compare two. For the newest version, get_lens is enough.',
  scope: 'lenses:read',
  args: Args,
  result: VersionResult,
  errors: ['BAD_INPUT', 'NOT_FOUND'],
  run: async (ctx, { lens_id, version_id, semver }) =>
    versionResult(await getLensVersion(ctx, { lensId: lens_id, versionId: version_id, semver })),
});
