import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));
const namesIn = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name).sort();

it('the services handle each job of the job table', () => {
  const table = readFileSync(`${root}libs/contracts/src/catalogue/jobs.ts`, 'utf8');
  const found = execFileSync('git', ['grep', '--untracked', '-h', '@Handles(', '--', 'apps/*/src/*'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(namesIn(found, /@Handles\(jobs\.(\w+)\)/g)).toEqual(namesIn(table, /^ {2}(\w+): .*\bjob\(/gm));
});
