import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { root, run } from './checks/run.mjs';
import { ready } from './ready.mjs';
import { makeArtifacts } from './release/artifacts.mjs';
import { closeSection } from './release/changelog.mjs';
import { readKey, sha256, signBlob, toEnvelope, toProvenance, toSums } from './release/sign.mjs';
import { isLater, setVersion } from './release/versions.mjs';

// npm run release -- <version>: writes the version and the changelog, commits and tags them.
// npm run release [-- --out=<folder>]: builds what the release of this commit has, but its images; publishes nothing.
const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
const [next] = positionals;
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const read = (path) => readFileSync(join(root, path), 'utf8');
const write = (path, contents) => writeFileSync(join(root, path), contents);
const { version } = JSON.parse(read('package.json'));

const tagRelease = async () => {
  if (git('status', '--porcelain') !== '') throw new Error('There are changes that are not committed');
  if (!isLater(next, version)) throw new Error(`${next} is not later than ${version}`);
  write('CHANGELOG.md', closeSection(read('CHANGELOG.md'), next, new Date().toISOString().slice(0, 10)));
  write('docs/upgrades.md', read('docs/upgrades.md').replaceAll(`| after ${version} |`, `| ${next} |`));
  setVersion(root, version, next);
  // Later changes of the API are compared with the one of this release.
  write('tools/checks/released-openapi.json.gz', gzipSync(read('docs/openapi.json'), { level: 9 }));
  write('tools/checks/accepted-api-changes.json', '{}');
  const { fault } = await run('node_modules/oxfmt/bin/oxfmt', ['.']);
  if (fault) throw new Error(fault);
  git('commit', '--quiet', '--all', `--message=chore: release ${next}`);
  git('tag', '--annotate', `v${next}`, `--message=Lensforge ${next}`);
  console.log(`v${next} is committed and tagged. Publish it: git push --follow-tags`);
};

const buildArtifacts = async () => {
  const started = new Date().toISOString();
  await ready();
  const out = resolve(root, values.out ?? 'dist/release');
  const [commit, epoch] = git('log', '-1', '--format=%H %ct').split(' ');
  const files = makeArtifacts(out, { version, epoch: Number(epoch) });
  const digests = files.map((path) => [path, sha256(readFileSync(join(out, path)))]);
  const key = process.env.LENSFORGE_RELEASE_KEY ? readKey(process.env.LENSFORGE_RELEASE_KEY) : undefined;
  const sums = toSums(digests);
  writeFileSync(join(out, 'SHA256SUMS'), sums);
  if (key) writeFileSync(join(out, 'SHA256SUMS.sig'), signBlob(Buffer.from(sums), key));
  const { LENSFORGE_RELEASE_REPOSITORY, LENSFORGE_RELEASE_BUILDER } = process.env;
  const provenance = toProvenance({
    digests,
    repository: LENSFORGE_RELEASE_REPOSITORY ?? 'git+file:///',
    commit,
    version,
    builder: LENSFORGE_RELEASE_BUILDER ?? 'urn:lensforge:own-machine',
    started,
  });
  writeFileSync(join(out, 'provenance.intoto.jsonl'), `${JSON.stringify(toEnvelope(provenance, key))}\n`);
  process.stdout.write(sums);
  if (!key) console.log('not signed: LENSFORGE_RELEASE_KEY has no key');
};

await (next === undefined ? buildArtifacts() : tagRelease());
