import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { type Tool, tools } from '@lensforge/tools';
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
}

/** Runs the required scenarios of the official suite against a server with these tools; the baseline lists expected failures. */
async function verdictOn(served: readonly Tool[], revision: string, baseline: string): Promise<Verdict> {
  const service = await McpService.start(served);
  const { bearer } = await service.aCaller();
  const proxy = await authenticatingProxy(service.url, bearer);
  const options = ['--url', proxy.url, '--requirements', revision, '--expected-failures', baseline];
  const args = ['--import', here('./conformance/node-20.mjs'), suite, 'server', ...options];
  try {
    const { exitCode, output } = await new Promise<{ exitCode: unknown; output: string }>((resolve) => {
      execFile(process.execPath, args, { cwd: tmpdir(), maxBuffer: 1e8 }, (error, stdout) => {
        resolve({ exitCode: error?.code ?? 0, output: stdout });
      });
    });
    return { exitCode, passed: [...output.matchAll(/^✓ ([a-z0-9-]+):/gm)].map(([, name]) => name ?? '') };
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
    const { exitCode, passed } = await verdictOn(served, revision, baseline);
    expect(exitCode).toBe(0);
    expect(passed).toEqual(expect.arrayContaining([...passes, ...(ofRevision[revision] ?? [])]));
  });
});
