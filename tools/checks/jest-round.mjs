import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
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
const endOf = async (child, report) => {
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

const failedFilesIn = ({ testResults }) =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name));

/** Runs one Jest project and counts passed, failed and skipped tests. A missing report is a failure. */
export const jestRound = async (project, args, more = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'lensforge-test-'));
  const report = join(folder, 'report.json');
  try {
    const child = start(
      'node_modules/jest/bin/jest.js',
      ['--selectProjects', project, '--json', '--outputFile', report, ...args],
      { output: 'inherit', env: ownEnvironment(more) },
    );
    const { code, hung } = await endOf(child, report);
    const result = readReport(report);
    const faults = result ? faultsIn(result) : [`${project} tests: Jest ended (${code}) without a report`];
    if (hung) faults.push(`${project} tests: Jest did not end; a test left a server, a timer or a process open`);
    if (code !== 0 && faults.length === 0) faults.push(`${project} tests: Jest ended with ${code}`);
    return {
      passed: result?.numPassedTests ?? 0,
      skipped: (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0),
      faults,
      failedFiles: result ? failedFilesIn(result) : [],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
