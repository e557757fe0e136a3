import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { advisoriesIn, findings, limitDays, overdue, updated } from './component-limits.mjs';

const root = join(import.meta.dirname, '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const record = (...components) => ({ components });
const lock = {
  packages: { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b/node_modules/a': { version: '0.9.0' } },
};

it('SECURITY.md states the limits', () => {
  const stated = [...read('SECURITY.md').matchAll(/^\| (critical|high|moderate|low|none) .*\| (\d+) days\s+\|$/gm)];
  expect(Object.fromEntries(stated.map(([, severity, days]) => [severity, Number(days)]))).toEqual(limitDays);
});

it.each(Object.entries(limitDays))('a finding of the severity %s is overdue after %i days', (severity, days) => {
  const found = record({ name: 'a', version: '1.0.0', severity, since: '2026-01-01' });
  const after = (count) => new Date(Date.parse('2026-01-01') + count * 86_400_000).toISOString().slice(0, 10);
  expect(overdue(found, after(days))).toEqual([]);
  expect(overdue(found, after(days + 1))).toEqual([expect.stringContaining(`a 1.0.0 (${severity})`)]);
});

it('keeps the day of a known finding, leaves out one that is gone, and counts a higher severity from today', () => {
  const before = record(
    { name: 'a', version: '1.0.0', severity: 'none', since: '2025-06-01' },
    { name: 'b', version: '1.0.0', severity: 'low', since: '2025-06-01' },
    { name: 'c', version: '1.0.0', severity: 'low', since: '2025-06-01' },
  );
  const found = [
    { name: 'a', version: '1.0.0', severity: 'none' },
    { name: 'b', version: '1.0.0', severity: 'high' },
  ];
  expect(updated(before, found, '2026-02-02')).toEqual([
    { name: 'a', version: '1.0.0', severity: 'none', since: '2025-06-01' },
    { name: 'b', version: '1.0.0', severity: 'high', since: '2026-02-02' },
  ]);
});

it('reads advisories of each installed version, and newer versions of components without one', () => {
  const audit = { vulnerabilities: { a: { name: 'a', severity: 'high', nodes: Object.keys(lock.packages) } } };
  const outdated = { a: { current: '1.0.0' }, c: [{ current: '2.0.0' }, { current: '2.0.0' }] };
  expect(findings(outdated, advisoriesIn(audit, lock))).toEqual([
    { name: 'a', version: '1.0.0', severity: 'high' },
    { name: 'a', version: '0.9.0', severity: 'high' },
    { name: 'c', version: '2.0.0', severity: 'none' },
  ]);
});

it('components.json has versions of the lock file', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const { components } = JSON.parse(read('tools/checks/components.json'));
  const isInstalled = ({ name, version }) =>
    Object.entries(packages).some(
      ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
    );
  expect(components.filter((each) => !isInstalled(each))).toEqual([]);
});
