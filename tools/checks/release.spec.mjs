import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closeSection, readSection } from '../release/changelog.mjs';
import { isLater, listVersionedFiles, withVersion } from '../release/versions.mjs';

const root = join(import.meta.dirname, '..', '..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json'));

describe('the version', () => {
  it.each([
    ['0.2.0', '0.1.9', true],
    ['0.10.0', '0.9.0', true],
    ['1.0.0', '0.99.99', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.9', '0.2.0', false],
  ])('%s is later than %s: %s', (one, other, expected) => {
    expect(isLater(one, other)).toBe(expected);
  });

  it.each(['1.0', 'v1.0.0', '1.0.0-rc.1'])('%s is refused', (text) => {
    expect(() => isLater(text, '0.1.0')).toThrow('is not a version such as');
  });

  it('is the same in all files, and can be changed in each', () => {
    const files = listVersionedFiles(root);
    expect(files.length).toBeGreaterThan(40);
    for (const path of files) {
      const changed = withVersion(path, read(path), version, '98.7.6');
      expect([path, changed.includes('98.7.6')]).toEqual([path, true]);
      expect(JSON.stringify(withVersion(path, changed, '98.7.6', version))).toContain(version);
    }
  });

  it('of other packages stays as it is', () => {
    const lock = JSON.parse(withVersion('package-lock.json', read('package-lock.json'), version, '98.7.6'));
    const before = JSON.parse(read('package-lock.json'));
    const others = (packages) => Object.entries(packages).filter(([place]) => place.includes('node_modules/'));
    expect(others(lock.packages)).toEqual(others(before.packages));
    expect(lock.packages['apps/cli']).toMatchObject({
      version: '98.7.6',
      dependencies: { '@lensforge/sdk': '98.7.6' },
    });
  });
});

describe('the changelog', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- This.\n\n## [0.1.0] - 2026-01-01\n\n- That.\n';

  it('gets a section with what was unreleased', () => {
    const closed = closeSection(changelog, '0.2.0', '2026-02-03');
    expect(closed).toBe(changelog.replace('[Unreleased]\n', '[Unreleased]\n\n## [0.2.0] - 2026-02-03\n'));
    expect(readSection(closed, '0.2.0')).toEqual({ date: '2026-02-03', text: '### Added\n\n- This.' });
    expect(readSection(closed)?.text).toBe('');
  });

  it('is refused without changes, and with a section of the version', () => {
    const closed = closeSection(changelog, '0.2.0', '2026-02-03');
    expect(() => closeSection(closed, '0.3.0', '2026-02-03')).toThrow('nothing under [Unreleased]');
    expect(() => closeSection(changelog, '0.1.0', '2026-02-03')).toThrow('has a section for 0.1.0 already');
  });
});

describe('npm run release -- <version>', () => {
  let clone;
  const baseline = ['tools/checks/accepted-api-changes.json', 'tools/checks/released-openapi.json.gz'];
  const names = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Ada'],
    [`GIT_${who}_EMAIL`, 'ada@example.com'],
  ]);
  const env = { ...process.env, ...Object.fromEntries(names) };
  const git = (...args) => execFileSync('git', args, { cwd: clone, encoding: 'utf8', env, maxBuffer: 1 << 26 }).trim();
  const release = (next) =>
    spawnSync(process.execPath, ['tools/release.mjs', next], { cwd: clone, encoding: 'utf8', env });

  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'lensforge-release-'));
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, clone], { stdio: 'ignore' });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
    const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
    writeFileSync(
      join(clone, 'CHANGELOG.md'),
      changelog.replace('## [Unreleased]\n', '## [Unreleased]\n\n### Added\n\n- A thing.\n'),
    );
    writeFileSync(join(clone, 'docs/upgrades.md'), `| after ${version} | a thing |\n`);
    writeFileSync(join(clone, 'tools/checks/accepted-api-changes.json'), '{ "a change": "a reason" }\n');
    writeFileSync(join(clone, 'tools/checks/released-openapi.json.gz'), 'of before');
    for (const part of ['release.mjs', 'release'])
      cpSync(join(root, 'tools', part), join(clone, 'tools', part), { recursive: true });
    git('add', '--all');
    git('commit', '--quiet', '--message=docs: name a thing');
  });
  afterAll(() => rmSync(clone, { recursive: true, force: true }));

  it('refuses changes that are not committed, and a version that is not later', () => {
    expect(release(version).stderr).toContain(`${version} is not later than ${version}`);
    writeFileSync(join(clone, 'README.md'), 'changed');
    expect(release('98.7.6').stderr).toContain('There are changes that are not committed');
    git('checkout', '--quiet', 'README.md');
  });

  it('commits the version and the changelog, and tags the commit', () => {
    const { status, stdout } = release('98.7.6');
    expect([status, stdout]).toEqual([0, expect.stringContaining('v98.7.6 is committed and tagged')]);
    expect(git('log', '-1', '--format=%s %D')).toMatch(/^chore: release 98\.7\.6 .*tag: v98\.7\.6/);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('show', 'HEAD:CHANGELOG.md')).toMatch(/## \[98\.7\.6\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing\./);
    expect(JSON.parse(git('show', 'HEAD:apps/cli/package.json')).version).toBe('98.7.6');
    expect(git('show', 'HEAD:docs/upgrades.md')).toContain('| 98.7.6 | a thing |');
    const changed = git('show', '--name-only', '--format=', 'HEAD').split('\n').sort();
    const others = ['CHANGELOG.md', 'docs/upgrades.md', ...baseline];
    expect(changed).toEqual([...listVersionedFiles(root), ...others].sort());
  });

  it('makes its API the one that later changes are compared with', () => {
    const [accepted, released] = baseline.map((path) => readFileSync(join(clone, path)));
    expect(JSON.parse(accepted.toString())).toEqual({});
    expect(gunzipSync(released).toString()).toBe(git('show', 'HEAD:docs/openapi.json') + '\n');
  });
});
