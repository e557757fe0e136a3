import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { tools } from '../src/catalogue.js';
import type { Tool } from '../src/tool.js';
import { fixtureTools } from './conformance/fixture-tools.js';
import { signedIn } from './conformance/signed-in.js';
import { McpService } from './mcp-service.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const suite = here('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** The requirement sets that this version of the suite knows. */
const requirementSets = ['2025-06-18', '2025-11-25'];

interface Verdict {
  exitCode: unknown;
  passed: string[];
}

/** Every scenario of the official suite against a server with these tools; failures in the baseline are expected. */
async function verdictOn(served: readonly Tool[], version: string, baseline: string): Promise<Verdict> {
  const service = await McpService.start(served);
  const { bearer } = await service.holder();
  const door = await signedIn(service.url, bearer);
  const options = ['--url', door.url, '--suite', 'all', '--spec-version', version, '--expected-failures', baseline];
  const args = ['--import', here('./conformance/node-20.mjs'), suite, 'server', ...options];
  try {
    const { exitCode, said } = await new Promise<{ exitCode: unknown; said: string }>((resolve) => {
      execFile(process.execPath, args, { cwd: tmpdir(), maxBuffer: 1e8 }, (error, stdout) => {
        resolve({ exitCode: error?.code ?? 0, said: stdout });
      });
    });
    return { exitCode, passed: [...said.matchAll(/^✓ ([a-z0-9-]+):/gm)].map(([, name]) => name ?? '') };
  } finally {
    await door.close();
    await service.stop();
  }
}

interface Gate {
  tools: readonly Tool[];
  baseline: string;
  passes: string[];
}

const always = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
const withFixtures = ['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error'].map(
  (name) => `tools-call-${name}`,
);
const since2025November = ['dns-rebinding-protection', 'json-schema-2020-12'];

const gates: [string, Gate][] = [
  ['as it goes into production', { tools, baseline: here('./conformance/production.yml'), passes: always }],
  [
    'with the tools that the suite asks for',
    {
      tools: fixtureTools,
      baseline: here('./conformance/with-fixtures.yml'),
      passes: [...always, ...withFixtures, 'json-schema-2020-12'],
    },
  ],
];

describe.each(gates)('the official suite, %s', (_what, { tools: served, baseline, passes }) => {
  const expected = readFileSync(baseline, 'utf8').match(/^ +- .*$/gm) ?? [];
  const excused = expected.map((line) => line.split(' ')[3]);

  it('is passed but for what is not there', () => {
    for (const line of expected)
      expect(line).toMatch(/^ {2}- [a-z0-9-]+ # (needs a fixture tool|capability not declared)$/);
    expect(passes.filter((name) => excused.includes(name))).toEqual([]);
  });

  it.each(requirementSets)('%s', async (version) => {
    const wanted = passes.filter((name) => version >= '2025-11-25' || !since2025November.includes(name));
    const { exitCode, passed } = await verdictOn(served, version, baseline);
    // One that is excused may be marked as passed, with warnings.
    const unexcused = passed.filter((name) => !excused.includes(name));
    expect({ exitCode, passed: unexcused.sort() }).toEqual({ exitCode: 0, passed: wanted.sort() });
  });
});
