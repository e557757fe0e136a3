import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { advisoriesIn, findings, overdue, updated } from './component-limits.mjs';

// npm run components: asks the registry for advisories and newer versions, and writes them to components.json with the day of the finding.
// npm run components -- --offline: only compares components.json with the limits of SECURITY.md. Both end with 1 if one is passed.
const root = join(import.meta.dirname, '../..');
const file = join(import.meta.dirname, 'components.json');
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The report of npm, which ends with 1 when it finds something. */
function report(...args) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000, stdio: ['ignore', 'pipe', 'ignore'] };
  let text;
  try {
    text = execFileSync('npm', args, options);
  } catch (error) {
    text = error.stdout;
  }
  const found = JSON.parse(text || '{}');
  if (found.error) throw new Error(`npm ${args.join(' ')}: ${found.message ?? found.error.summary}`);
  return found;
}

const today = new Date().toISOString().slice(0, 10);
let record = json(file);
if (!process.argv.includes('--offline')) {
  const outdated = report('outdated', '--json', '--workspaces', '--include-workspace-root');
  let advisories = record.components.filter(({ severity }) => severity !== 'none');
  let { advisoriesCheckedAt } = record;
  try {
    advisories = advisoriesIn(report('audit', '--json'), json(join(root, 'package-lock.json')));
    advisoriesCheckedAt = today;
  } catch (error) {
    process.stderr.write(`The registry reported no advisories; those of before stay. ${error.message}\n`);
    process.exitCode = 1;
  }
  const components = updated(record, findings(outdated, advisories), today);
  record = { versionsCheckedAt: today, advisoriesCheckedAt, components };
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}
const late = overdue(record, today);
for (const each of late) process.stderr.write(`${each}\n`);
const { components, versionsCheckedAt, advisoriesCheckedAt } = record;
process.stdout.write(
  `${components.length} findings, ${late.length} past their limit; versions checked on ${versionsCheckedAt}, advisories on ${advisoriesCheckedAt}\n`,
);
if (late.length > 0) process.exitCode = 1;
