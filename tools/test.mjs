import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { close, list } from './checks/closing-line.mjs';
import { jestRound, jestRoundWithRepeat } from './checks/jest-round.mjs';
import { root, run } from './checks/run.mjs';
import { currentCommit, pickSample } from './fault-samples.mjs';
import { installedPostgres } from './jest/test-servers.cjs';
import { ready } from './ready.mjs';

// npm test [-- --quick] [path or Jest option …]: all checks and tests; `--quick` leaves out the end-to-end tests.
// When all tests run, files that fail run once more at the end, with nothing beside them; what passes then is named.
const args = process.argv.slice(2).filter((arg) => arg !== '--quick');
const quick = process.argv.includes('--quick');
const paths = args.filter((arg) => !arg.startsWith('-') && existsSync(join(root, arg)));
const onlyTests = args.length > paths.length;
const scope = paths.length > 0 ? paths : ['.'];
const everything = args.length === 0;

/** Checks that run one after another beside the tests. */
const checkList = [
  ['lint', () => run('node_modules/oxlint/bin/oxlint', ['-c', 'oxlint.config.mjs', ...scope])],
  ['types', () => run('node_modules/@typescript/native/bin/tsc', ['-p', '.'])],
  ['types of the console', () => run('node_modules/@typescript/native/bin/tsc', ['-p', 'apps/console'])],
  ['formatting', () => run('node_modules/oxfmt/bin/oxfmt', ['--check', ...scope])],
];

const sum = { passed: 0, skipped: 0, faults: [], unsteady: [] };
const parts = [];
const files = [];
const say = (line) => console.log(line);

/** Runs a part and remembers how long it took. */
const timed = async (name, work) => {
  const since = performance.now();
  try {
    return await work();
  } finally {
    parts.push(`${((performance.now() - since) / 1000).toFixed(0).padStart(5)} s  ${name}`);
  }
};

const check = async ([name, work]) => {
  const { fault } = await timed(name, () => work().catch((error) => ({ fault: String(error) })));
  if (!fault) return void sum.passed++;
  sum.faults.push(name);
  say(`FAILED  ${name}\n${fault.replace(/^/gm, '        ')}`);
};

const checks = async () => {
  if (onlyTests) return;
  for (const one of checkList) await check(one);
};

const tests = async (projects, environment = {}) => {
  const some = everything ? [] : ['--passWithNoTests', ...args];
  const round = await timed('tests', () =>
    (everything ? jestRoundWithRepeat : jestRound)(projects, [`--maxWorkers=${workers}`, ...some], {
      DATABASE_PATIENCE: '3',
      ...environment,
    }),
  );
  sum.passed += round.passed;
  sum.skipped += round.skipped;
  sum.faults.push(...round.faults);
  sum.unsteady.push(...(round.unsteady ?? []));
  files.push(...round.files);
};

/** The time that the start of a process takes, in milliseconds. */
const startMs = Math.min(
  ...[1, 2, 3].map(() => {
    const since = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - since;
  }),
);
/** A platform has a dozen of processes: where they start slowly, several platforms at once would not be ready in time. */
const isSlow = startMs > 160;
/** More workers than processors, since a good part of the tests waits. */
const workers = Math.min(availableParallelism(), 4) + (isSlow ? 0 : 2);

/** With an installed PostgreSQL, tests of services run on it instead of the embedded one, and tests of plans and of an outage run on both. */
const onInstalled = () => {
  if (installedPostgres()) return { repeated: ['plans', 'outage'], TEST_ON_INSTALLED: 'services,plans,outage' };
  say('skipped: tests on an installed PostgreSQL, as none is installed; the embedded one is used instead');
  return { repeated: [] };
};

const all = async () => {
  say(`a process starts in ${startMs.toFixed(0)} ms: ${workers} workers`);
  await timed('install and build', ready);
  // Checks have the lowest priority: they compute while tests wait.
  const checking = checks();
  if (quick) await tests(['near', 'services']);
  else if (!everything) await tests(['near', 'services', 'journey', 'sample']);
  else {
    const { repeated, ...environment } = onInstalled();
    const FAULT_SAMPLE = pickSample(currentCommit());
    say(`the fault sample of this commit: ${FAULT_SAMPLE}`);
    await tests(['near', 'services', 'journey', 'sample', ...repeated], { ...environment, FAULT_SAMPLE });
  }
  await checking;
};

const bySeconds = (one, other) => other.seconds - one.seconds;
const byProcessor = (one, other) => (other.processor ?? 0) - (one.processor ?? 0);

/** Prints the time of each part, the slowest and the costliest files, and figures of all files. */
const summarize = () => {
  say(`\n${parts.join('\n')}`);
  const row = ({ file, seconds, processor = 0 }) =>
    `${seconds.toFixed(0).padStart(5)} s ${processor.toFixed(0).padStart(5)} s of processor time  ${file}`;
  const first = (order) => [...files].sort(order).slice(0, 10).map(row).join('\n');
  say(`\nthe slowest files:\n${first(bySeconds)}\nthe files with the most processor time:\n${first(byProcessor)}`);
  const processor = files.reduce((total, file) => total + (file.processor ?? 0), 0);
  const megabytes = Math.max(0, ...files.map((file) => file.megabytes ?? 0));
  say(`${files.length} files took ${processor.toFixed(0)} s of processor time; the largest worker had ${megabytes} MB`);
};

const slowFile = 3;

/** Writes the durations of slow files, by which tools/jest/longest-first.cjs sorts. */
const recordDurations = () => {
  const slow = files.filter(({ seconds }) => seconds >= slowFile).sort(bySeconds);
  const rows = Object.fromEntries(slow.map(({ file, seconds }) => [file, Math.round(seconds)]));
  writeFileSync(join(root, 'tools/jest/slow-files.json'), `${JSON.stringify(rows, null, 2)}\n`);
};

await timed('all', () =>
  all().catch((error) => {
    sum.faults.push(error instanceof Error ? error.message : String(error));
  }),
);
if (process.env.LENSFORGE_RECORD && everything) recordDurations();
summarize();
list('passed only when it ran again', sum.unsteady);
close(sum);
