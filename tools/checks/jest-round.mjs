import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openTestFolder } from '../jest/test-folder.mjs';
import { root, start } from './run.mjs';

const graceAfterReport = 20_000;

// The tests start their own servers: the caller's settings of a platform must not apply.
const ownEnvironment = (more) => {
  const foreign = /^(DATABASE_|REDIS_|LENSFORGE_(?!FAULTS_)|OTEL_|PORT$|HOST$)/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(own), ...more };
};

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Waits for Jest to end; if it has written its report and does not end, a handle was left open. */
const waitForEnd = async (child, report) => {
  let hung = false;
  let since;
  const watch = setInterval(() => {
    if (!readReport(report)) return;
    since ??= Date.now();
    if (Date.now() - since < graceAfterReport) return;
    hung = true;
    child.kill('SIGKILL');
  }, 1000);
  const [code] = await once(child, 'close').catch(() => [1]);
  clearInterval(watch);
  return { code, hung };
};

const faultsIn = ({ testResults }) =>
  testResults.flatMap((file) => {
    const name = relative(root, file.name);
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length > 0)
      return failed.map(({ ancestorTitles, title }) => [name, ...ancestorTitles, title].join(' › '));
    return file.status === 'failed' ? [`${name} failed outside of its tests`] : [];
  });

const failedFilesIn = ({ testResults }) => [
  ...new Set(testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))),
];

/** The files with their seconds, their processor time, and the memory of their worker at the end. */
const filesIn = (result, usage) => {
  const measured = new Map(readReportLines(usage).map(({ path, ...rest }) => [path, rest]));
  return (result?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
    ...measured.get(name),
  }));
};

const readReportLines = (path) =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

/** Runs Jest projects and counts passed, failed and skipped tests. A missing report is a failure. */
export const jestRound = async (projects, args, more = {}) => {
  const title = `${projects.join(' and ')} tests`;
  const folder = openTestFolder();
  const report = join(folder.path, 'report.json');
  const usage = join(folder.path, 'usage.ndjson');
  try {
    const child = start(
      'node_modules/jest/bin/jest.js',
      [...args, '--selectProjects', ...projects, '--json', '--outputFile', report],
      { output: 'inherit', env: ownEnvironment({ ...more, TMPDIR: folder.path, TEST_USAGE: usage }) },
    );
    const { code, hung } = await waitForEnd(child, report);
    const result = readReport(report);
    const faults = result ? faultsIn(result) : [`${title}: Jest ended (${code}) without a report`];
    if (hung) faults.push(`${title}: Jest did not end; a test left a server, a timer or a process open`);
    if (code !== 0 && faults.length === 0) faults.push(`${title}: Jest ended with ${code}`);
    return {
      passed: result?.numPassedTests ?? 0,
      skipped: (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0),
      faults,
      failedFiles: result ? failedFilesIn(result) : [],
      files: filesIn(result, usage),
    };
  } finally {
    folder.remove();
  }
};

/** When more files fail, the cause is not chance. */
const maxFilesAgain = 12;

/** As `jestRound`; up to a dozen failed files run once more, alone, and what passes then is `unsteady` instead of a fault. */
export const jestRoundWithRepeat = async (projects, args, more) => {
  const round = await jestRound(projects, args, more);
  const { failedFiles } = round;
  if (failedFiles.length === 0 || failedFiles.length > maxFilesAgain) return { ...round, unsteady: [] };
  console.log(`\nonce more, alone: ${failedFiles.join(' ')}`);
  const again = await jestRound(projects, ['--runInBand', '--runTestsByPath', ...failedFiles], more);
  const isUnsteady = (fault) => again.faults.length === 0 && failedFiles.some((file) => fault.startsWith(file));
  const unsteady = round.faults.filter(isUnsteady);
  const faults = round.faults.filter((fault) => !isUnsteady(fault));
  return { ...round, passed: round.passed + unsteady.length, faults, unsteady };
};
