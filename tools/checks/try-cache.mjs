import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './run.mjs';

// node tools/checks/try-cache.mjs, after `npm run check` has passed: edits one file at a time, compares the result of a task with
// the expected one, and restores the file. It takes minutes, so it is no test; run it after a change of inputs in nx.json.
const nx = join(root, 'node_modules/nx', createRequire(import.meta.url)('nx/package.json').bin.nx);
const text = (file) => readFileSync(join(root, file), 'utf8');

const prepend = (line) => (content) => `${line}\n${content}`;
const replace = (from, to) => (content) => {
  if (!content.includes(from)) throw new Error(`Nothing to replace: ${from}`);
  return content.replace(from, to);
};

/** Task, expected result, file, edit. */
const trials = [
  ['lensforge:lint', 'cached', 'docs/rest.md', prepend('A line.')],
  [
    'lensforge:lint',
    'fails',
    'libs/core/src/state-machine.ts',
    replace('export function', '/** @deprecated */\nexport function'),
  ],
  [
    'lensforge:lint',
    'fails',
    'tools/checks/lint-rules.mjs',
    replace('refusedFolders.has(', 'name || refusedFolders.has('),
  ],
  [
    'lensforge:lint',
    'fails',
    'tools/checks/import-rule.mjs',
    replace("'scope:core': ['scope:contracts']", "'scope:core': []"),
  ],
  ['lensforge:lint', 'fails', 'libs/contracts/package.json', replace('scope:contracts', 'scope:lenses')],
  ['lensforge:lint', 'fails', 'tsconfig.base.json', replace('"strict": true', '"strict": false')],
  ['lensforge:lint', 'fails', 'tools/ready.mjs', prepend('export default 1;')],
  ['lensforge:lint', 'fails', 'tools/jest/native-runtime.cjs', prepend('unknown();')],
  [
    'lensforge:typecheck',
    'fails',
    'libs/core/src/state-machine.ts',
    replace('stateMachine<S extends string>(', 'stateMachine<S extends number>('),
  ],
  ['lensforge:typecheck', 'fails', 'tsconfig.base.json', replace('"es2023"', '"es5"')],
  ['lensforge:format', 'fails', 'libs/core/src/clock.ts', (content) => `${content}\n\n`],
  ['lensforge:format', 'fails', 'docs/rest.md', prepend('*  badly formatted')],
  ['lensforge:format', 'fails', '.oxfmtrc.json', replace('120', '60')],
  ['lensforge:guards', 'fails', 'apps/api-gateway/test/credential-table.ts', replace('\ngetMe ', '\ngetYou ')],
  ['lensforge:guards', 'fails', 'docs/events.md', prepend('A line.')],
];

function runTask(task) {
  const { status, stdout } = spawnSync(process.execPath, [nx, 'run', task, '--outputStyle=static'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_TUI: 'false' },
  });
  const own = stdout.split('\n').find((line) => line.includes(`nx run ${task}`)) ?? '';
  if (status !== 0) return 'fails';
  return /\[.*cache.*\]/.test(own) ? 'cached' : 'runs';
}

let wrong = 0;
for (const [task, expected, file, edit] of trials) {
  const original = text(file);
  let found;
  try {
    writeFileSync(join(root, file), edit(original));
    found = runTask(task);
  } finally {
    writeFileSync(join(root, file), original);
  }
  if (found !== expected) wrong++;
  console.log(`${found === expected ? '    ok' : 'FAILED'}  ${task} ${found} after an edit of ${file}`);
}
process.exitCode = wrong > 0 ? 1 : 0;
