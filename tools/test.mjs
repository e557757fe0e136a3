import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { close, list } from './checks/closing-line.mjs';
import { jestRound } from './checks/jest-round.mjs';
import { root, run } from './checks/run.mjs';
import { ready } from './ready.mjs';

// npm test [-- --quick] [path or Jest option …]: all checks and tests; `--quick` leaves out the end-to-end tests.
// When all tests run, files that fail run once more at the end, with nothing beside them; what passes then is named.
const args = process.argv.slice(2).filter((arg) => arg !== '--quick');
const quick = process.argv.includes('--quick');
const paths = args.filter((arg) => !arg.startsWith('-') && existsSync(join(root, arg)));
const onlyTests = args.length > paths.length;
const scope = paths.length > 0 ? paths : ['.'];

/** Two lanes for two cores; within a lane one after the other. */
const lanes = [
  [
    ['types', () => run('node_modules/@typescript/native/bin/tsc', ['-p', '.'])],
    ['types of the console', () => run('node_modules/@typescript/native/bin/tsc', ['-p', 'apps/console'])],
    [
      'formatting',
      () =>
        run('node_modules/prettier/bin/prettier.cjs', [
          '--check',
          '--cache',
          '--cache-strategy',
          'content',
          '--log-level',
          'warn',
          ...scope,
        ]),
    ],
  ],
  [['lint', () => run('node_modules/eslint/bin/eslint.js', ['--max-warnings', '0', '--no-warn-ignored', ...scope])]],
];

const sum = { passed: 0, skipped: 0, faults: [], unsteady: [] };
/** When more files fail, the cause is not chance. */
const mostFilesAgain = 6;
const rounds = [];
const say = (line) => console.log(line);
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const check = async ([name, work]) => {
  const since = performance.now();
  const { fault } = await work().catch((error) => ({ fault: String(error) }));
  say(`${fault ? 'FAILED' : '    ok'}  ${name.padEnd(16)} ${seconds(since)}`);
  if (!fault) return void sum.passed++;
  sum.faults.push(name);
  say(fault.replace(/^/gm, '        '));
};

const tests = async (project, options, environment, on = '') => {
  say(`\n${project} tests${on}`);
  const round = await jestRound(project, [...options, ...args], environment);
  sum.passed += round.passed;
  sum.skipped += round.skipped;
  rounds.push({ ...round, title: `${project} tests${on}`, project, environment });
};

const testsAgain = async () => {
  if (args.length > 0 || rounds.flatMap(({ failedFiles }) => failedFiles).length > mostFilesAgain) return;
  for (const round of rounds.filter(({ failedFiles }) => failedFiles.length > 0)) {
    say(`\n${round.title}, once more: ${round.failedFiles.join(' ')}`);
    const options = ['--runInBand', '--runTestsByPath', ...round.failedFiles];
    const again = await jestRound(round.project, options, round.environment);
    if (again.faults.length > 0) continue;
    const isOfFile = (fault) => round.failedFiles.some((file) => fault.startsWith(file));
    const unsteady = round.faults.filter(isOfFile);
    sum.unsteady.push(...unsteady);
    sum.passed += unsteady.length;
    round.faults = round.faults.filter((fault) => !isOfFile(fault));
  }
};

const checks = async () => {
  if (onlyTests) return;
  await Promise.all(
    lanes.map(async (lane) => {
      for (const one of lane) await check(one);
    }),
  );
};

const all = async () => {
  await ready();
  const some = args.length > 0 ? ['--passWithNoTests'] : [];
  if (quick) await checks();
  const installed = !quick && args.length === 0 ? installedServer() : undefined;
  // Three for two cores: a good part of them waits for servers.
  const near = ['--maxWorkers=3', ...some];
  const ofServices = installed ? ['--testPathIgnorePatterns', '/node_modules/', ...serviceTests] : [];
  await tests('near', [...near, ...ofServices], { DATABASE_PATIENCE: '3' });
  if (quick) return;
  // The services are tested on the PostgreSQL that operators have, where it is there; the journeys start the one of npm start.
  if (installed) await tests('near', [...serviceTests, ...near], onServer(installed), ` on ${installed}`);
  // Journeys wait for time to pass, mostly; work that only computes goes on beside them.
  await Promise.all([tests('journey', ['--maxWorkers=2', ...some]), checks()]);
  if (installed) await tests('journey', [faultJourney, '--runInBand'], onServer(installed), ` on ${installed}`);
  await testsAgain();
};

const withoutDatabase = ['cli'];
const serviceTests = readdirSync(join(root, 'apps'))
  .filter((app) => !withoutDatabase.includes(app))
  .map((app) => `apps/${app}/test`);
const faultJourney = 'apps/e2e/src/lost-postgres.journey.ts';

/** The programs of a PostgreSQL as its packages set it up, the newest one that is installed. */
const installedServer = () => {
  const versions = '/usr/lib/postgresql';
  const found = existsSync(versions) ? readdirSync(versions).sort((one, other) => Number(other) - Number(one)) : [];
  const folder = found
    .map((version) => join(versions, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'postgres')));
  if (folder === undefined) say('\nskipped: the tests of services on an installed PostgreSQL, as none is installed');
  return folder;
};

const onServer = (folder) => ({ DATABASE_PATIENCE: '3', LENSFORGE_POSTGRES_BIN: folder });

await all().catch((error) => {
  sum.faults.push(error instanceof Error ? error.message : String(error));
});
list('passed only when it ran again', sum.unsteady);
close({ ...sum, faults: [...sum.faults, ...rounds.flatMap((round) => round.faults)] });
