import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from '@jest/globals';

const hook = fileURLToPath(new URL('../../.githooks/commit-msg', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lensforge-hook-'));
afterAll(() => rmSync(folder, { recursive: true }));

const commit = (message) => {
  const file = join(folder, 'COMMIT_EDITMSG');
  writeFileSync(file, message);
  return spawnSync('sh', [hook, file], { encoding: 'utf8' });
};

it.each([
  'feat: a thing',
  'fix(queue): a thing\n\nwith a body',
  'refactor(contracts,core)!: a thing',
  '# a comment of the editor\n\nchore: a thing\n',
  "Merge branch 'main'",
  'fixup! feat: a thing',
  `feat: ${'x'.repeat(66)}`,
])('the commit-msg hook accepts %j', (message) => {
  expect(commit(message).status).toBe(0);
});

it.each([
  'a thing',
  'feat a thing',
  'feat:a thing',
  'feature: a thing',
  'Feat: a thing',
  '',
  `feat: ${'x'.repeat(67)}`,
])('the commit-msg hook refuses %j and shows the format', (message) => {
  const { status, stderr } = commit(message);
  expect(status).toBe(1);
  expect(stderr).toContain('feat(queue): retry a job');
});
