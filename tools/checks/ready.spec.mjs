import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkNode, isInstalled } from '../ready.mjs';

describe('the version of Node.js', () => {
  it.each(['20.19.0', '20.20.2', '22.12.0', '24.1.0', '25.0.0'])('%s is supported', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });

  it.each(['18.20.0', '20.18.3', '21.7.0', '22.11.0'])('%s is refused with the supported versions', (version) => {
    expect(() => checkNode(version)).toThrow(
      `needs Node.js 20.19 or a later 20, or 22.12 and later; this is ${version}`,
    );
  });
});

describe('the check of installed packages', () => {
  let at;
  const wanted = {
    '': { name: 'root' },
    'libs/core': { version: '0.1.0' },
    'node_modules/@x/core': { resolved: 'libs/core', link: true },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b-darwin': { version: '1.0.0', optional: true },
    'node_modules/nx': { version: '1.0.0', dev: true },
  };
  const needed = { 'node_modules/@x/core': { link: true }, 'node_modules/a': { version: '1.0.0' } };
  const present = { ...needed, 'node_modules/nx': { version: '1.0.0' } };

  const write = async (name, packages, age) => {
    const path = join(at, name);
    await writeFile(path, JSON.stringify({ packages }));
    const time = Date.now() / 1000 - age;
    await utimes(path, time, time);
  };
  const lay = async (installed, { lockIsNewer = true } = {}) => {
    for (const path of Object.keys(installed)) await mkdir(join(at, path), { recursive: true });
    await write('package-lock.json', wanted, lockIsNewer ? 0 : 20);
    await write('node_modules/.package-lock.json', installed, 10);
  };

  beforeEach(async () => {
    at = await mkdtemp(join(tmpdir(), 'lensforge-ready-'));
    await mkdir(join(at, 'node_modules'));
  });
  afterEach(() => rm(at, { recursive: true, force: true }));

  it('fails in a fresh checkout', async () => {
    await write('package-lock.json', wanted, 0);
    expect(isInstalled({ at })).toBe(false);
  });

  it('passes while the installation is newer than the lock file', async () => {
    await lay(present, { lockIsNewer: false });
    expect(isInstalled({ at })).toBe(true);
  });

  it('passes when a newer lock file is equal', async () => {
    await lay(present);
    expect(isInstalled({ at })).toBe(true);
  });

  it.each([true, false])(
    'passes without packages of developers for those who need none, lock file newer: %s',
    async (lockIsNewer) => {
      await lay(needed, { lockIsNewer });
      expect([isInstalled({ at, dev: false }), isInstalled({ at })]).toEqual([true, false]);
    },
  );

  it.each([
    ['a package is missing', { 'node_modules/@x/core': { link: true } }],
    ['a version is another', { ...present, 'node_modules/a': { version: '1.0.1' } }],
    ['a workspace is not linked', { 'node_modules/a': { version: '1.0.0' } }],
  ])('fails when %s', async (_, installed) => {
    await lay(installed);
    expect(isInstalled({ at })).toBe(false);
  });
});
