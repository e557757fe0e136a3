import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type Tool, tools } from '@lensforge/tools';
import { fixtureTasks, taskTools } from './conformance/fixture-tasks.js';
import { fixtureTools } from './conformance/fixture-tools.js';
import { authenticatingProxy } from './conformance/authenticating-proxy.js';
import { McpService } from './mcp-service.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const suite = here('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** The protocol revisions whose requirements for servers the suite defines. */
const requirementSets = ['2025-11-25', '2026-07-28'];

interface Verdict {
  exitCode: unknown;
  passed: string[];
  output: string;
}

/** Runs scenarios of the official suite against a server with these tools. */
async function verdictOn(served: readonly Tool[], ...chosen: string[][]): Promise<Verdict[]> {
  const service = await McpService.start(served, {}, fixtureTasks);
  const { bearer } = await service.aCaller();
  const proxy = await authenticatingProxy(service.url, bearer);
  const perform = (options: readonly string[]): Promise<Verdict> => {
    const args = ['--import', here('./conformance/node-20.mjs'), suite, 'server', '--url', proxy.url, ...options];
    return new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: tmpdir(), maxBuffer: 1e8 }, (error, output) => {
        const passed = [...output.matchAll(/^✓ ([a-z0-9-]+):/gm)].map(([, name]) => name ?? '');
        resolve({ exitCode: error?.code ?? 0, passed, output });
      });
    });
  };
  try {
    return await Promise.all(chosen.map(perform));
  } finally {
    await proxy.close();
    await service.stop();
  }
}

const everywhere = ['tools-list', 'prompts-list', 'resources-list', 'dns-rebinding-protection'];
const ofRevision: Record<string, string[]> = {
  '2025-11-25': ['server-initialize', 'ping'],
  '2026-07-28': ['caching', 'http-header-validation', 'input-required-result-unsupported-methods'],
};
const ofFixtures = ['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error'].map(
  (name) => `tools-call-${name}`,
);

const runs: [string, readonly Tool[], string, string[]][] = [
  ['with the tools of production', tools, 'production', everywhere],
  ['with the tools that the suite asks for', fixtureTools, 'with-fixtures', [...everywhere, ...ofFixtures]],
];

describe.each(runs)('the official conformance suite, %s,', (_what, served, name, passes) => {
  it.each(requirementSets)('passes for %s except for the expected failures', async (revision) => {
    const baseline = here(`./conformance/${name}-${revision}.yml`);
    const expected = readFileSync(baseline, 'utf8').match(/^ +- .*$/gm) ?? [];
    for (const line of expected)
      expect(line).toMatch(/^ {2}- [a-z0-9-]+ # (needs a fixture (tool|prompt or resource)|capability not declared)$/);
    // The baseline lists expected failures.
    const [verdict] = await verdictOn(served, ['--requirements', revision, '--expected-failures', baseline]);
    expect(verdict?.exitCode).toBe(0);
    expect(verdict?.passed).toEqual(expect.arrayContaining([...passes, ...(ofRevision[revision] ?? [])]));
  });
});

/** The scenarios of the extension for tasks; those for notifications are not written yet. */
const ofTasks = [
  'lifecycle',
  'capability-negotiation',
  'wire-fields',
  'request-state-removal',
  'mrtr-input',
  'request-headers',
  'dispatch-and-envelope',
  'required-task-error',
  'mrtr-composition',
].map((name) => `tasks-${name}`);

it('passes the scenarios of the official suite for tasks', async () => {
  const verdicts = await verdictOn(taskTools, ...ofTasks.map((name) => ['--scenario', name]));
  const failed = verdicts.filter(
    ({ exitCode, output }) => exitCode !== 0 || !/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/.test(output),
  );
  expect(failed.map(({ output }) => output)).toEqual([]);
});
