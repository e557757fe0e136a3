import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { faultsOfLock } from './lock-file.mjs';

const json = (file) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const entry = { version: '1.0.0', integrity: 'sha512-x' };
const lockOf = (packages) => ({ packages: { '': {}, ...packages } });

describe('the lock file check', () => {
  it('passes the lock file of this repository', () => {
    expect(faultsOfLock(json('package-lock.json'), json('package.json'))).toEqual([]);
  });

  it('names a platform package that npm left out of this very lock file', () => {
    const lock = json('package-lock.json');
    delete lock.packages['node_modules/@swc/core-darwin-arm64'];
    expect(faultsOfLock(lock, json('package.json'))).toEqual([
      'node_modules/@swc/core lists the optional package @swc/core-darwin-arm64, which is not in the lock file',
    ]);
  });

  it('resolves an optional package like npm, from the inside out', () => {
    const asking = { ...entry, optionalDependencies: { native: '1' } };
    const nested = lockOf({ 'node_modules/a/node_modules/b': asking, 'node_modules/a/node_modules/native': entry });
    const elsewhere = lockOf({ 'node_modules/a/node_modules/b': asking, 'node_modules/c/node_modules/native': entry });
    expect(faultsOfLock(nested, {})).toEqual([]);
    expect(faultsOfLock(elsewhere, {})).toHaveLength(1);
  });

  it('refuses unlisted install scripts, other registries and missing hashes', () => {
    const lock = lockOf({
      'node_modules/@x/reviewed': { ...entry, hasInstallScript: true },
      'node_modules/@x/surprise': { ...entry, hasInstallScript: true },
      'node_modules/elsewhere': { ...entry, resolved: 'https://example.org/elsewhere.tgz' },
      'node_modules/unhashed': { version: '1.0.0' },
    });
    expect(faultsOfLock(lock, { allowScripts: { '@x/reviewed': false } })).toEqual([
      expect.stringContaining('node_modules/@x/surprise has an install script'),
      expect.stringContaining('https://example.org/elsewhere.tgz'),
      'node_modules/unhashed has no integrity hash',
    ]);
  });

  it('refuses a package that does not support the oldest Node.js', () => {
    const lockFor = (node) => lockOf({ 'node_modules/new': { ...entry, engines: { node } } });
    for (const range of ['>=22', '^22.12.0 || >= 24', '18.x', '>=20.20'])
      expect(faultsOfLock(lockFor(range), {})).toEqual([expect.stringContaining(`new needs Node.js ${range}`)]);
    for (const range of ['>=18', '*', '^20.19.0 || >=22.12.0', '>= 20', '20.x || 22'])
      expect(faultsOfLock(lockFor(range), {})).toEqual([]);
  });
});
