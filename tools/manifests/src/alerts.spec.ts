import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { listAt, membersAt } from './manifest.js';

const monitoring = join(import.meta.dirname, '..', '..', '..', 'k8s', 'components', 'monitoring');
const rules: unknown = parse(readFileSync(join(monitoring, 'rules.yaml'), 'utf8'));

const scratch = mkdtempSync(join(tmpdir(), 'lensforge-alerts-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The output of promtool; undefined where it is not installed. */
function promtool(...args: string[]): string | undefined {
  try {
    return execFileSync('promtool', args, { cwd: scratch, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}\n${stderr}`, { cause: error });
  }
}
const withPromtool = promtool('--version') === undefined ? it.skip : it;
if (withPromtool === it.skip) process.stderr.write('skipped: the tests of alerts, as promtool is not installed\n');

withPromtool('the alerts pass promtool check rules and promtool test rules', () => {
  const count = listAt(rules, 'spec.groups').flatMap((group) => listAt(group, 'rules')).length;
  writeFileSync(join(scratch, 'rules.yaml'), stringify(membersAt(rules, 'spec')));
  copyFileSync(join(monitoring, 'rules.test.yaml'), join(scratch, 'rules.test.yaml'));
  expect(promtool('check', 'rules', 'rules.yaml')).toContain(`SUCCESS: ${count} rules found`);
  expect(promtool('test', 'rules', 'rules.test.yaml')).toContain('SUCCESS');
});
