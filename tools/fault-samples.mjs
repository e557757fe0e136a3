import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checks/run.mjs';

const folder = 'apps/e2e/src';

/** Fault tests in a form of at most 90 seconds. */
const samples = readdirSync(join(root, folder))
  .filter((name) => name.endsWith('.sample.ts'))
  .sort();

/** The sample of a commit: its hash chooses, so that a repetition has the same one and all of them have their turn. */
export const pickSample = (commit) => `${folder}/${samples[Number.parseInt(commit.slice(0, 8), 16) % samples.length]}`;

/** The commit that is checked out; without Git the first sample is taken. */
export const currentCommit = () => {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '0'.repeat(40);
  }
};
