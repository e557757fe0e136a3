import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ScriptedServer, aScriptedServer, data } from './scripted-server.js';

const root = join(import.meta.dirname, '../../..');
const maxGzippedBytes = 12_000;

let project: string;
let server: ScriptedServer;

const node = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });

const npm = (...args: string[]): string =>
  execFileSync('npm', args, { cwd: project, encoding: 'utf8', shell: process.platform === 'win32', stdio: 'pipe' });

const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'lensforge-sdk-'));
  server = await aScriptedServer(data({ id: 'x' }));
  node(join(root, 'tools/pack-library.mjs'), 'sdk', join(project, 'packed'));
  write('package.json', '{ "private": true }');
  npm('pack', './packed', '--silent');
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz'));
  npm('install', `./${tarball}`, '--offline', '--no-audit', '--no-fund', '--silent');
});

afterAll(async () => {
  await server.stop();
  rmSync(project, { recursive: true, force: true });
});

/** The text of a program that creates a client and exports a promise of nothing. */
const program = (importing: string): string => `${importing}
const client = createClient({ apiKey: 'key' });
const refused = client.lenses.get('x', { maxRetries: 0 }).catch((error) => error);
refused.then((error) => console.log(error instanceof ConnectionError, error.name, typeof webhooks.verify));`;

describe('the packed package, installed in an empty project,', () => {
  it('has no dependencies and only its own files', () => {
    const installed = join(project, 'node_modules/@lensforge/sdk');
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty('dependencies');
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'cjs', 'esm', 'package.json']);
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@lensforge']);
  });

  it.each([
    ['an ES module', 'esm.mjs', "import { createClient, ConnectionError, webhooks } from '@lensforge/sdk';"],
    ['CommonJS', 'cjs.cjs', "const { createClient, ConnectionError, webhooks } = require('@lensforge/sdk');"],
  ])('works as %s', (_kind, name, importing) => {
    write(name, program(importing).replace("'key' }", "'key', baseUrl: 'http://127.0.0.1:1' }"));
    expect(node(name)).toBe('true ConnectionError function\n');
  });

  it('has types that tsc --strict accepts, and refuses a wrong call', () => {
    const lines = (wrong: string): string => `import { createClient } from '@lensforge/sdk';
import type { shapes } from '@lensforge/sdk';
export async function read(): Promise<shapes.PlatformRunStatus> {
  const client = createClient({ apiKey: async () => 'key' });
  const { runId } = await client.lenses.execute('id', { params: { Topic: 1 }, fundingSource: 'platform_credit' });
  for await (const event of client.runs.events(runId)) {
    if (event.eventType === 'node.output.delta') event.payload.text.trim();
    ${wrong}
  }
  for await (const lens of client.lenses.list({ sort: 'newest' })) lens.title.trim();
  return client.runs.wait(runId);
}
`;
    const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
    const check = (...files: string[]): string => {
      const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--types', ''];
      try {
        return node(tsc, ...options, ...files);
      } catch (error) {
        return String((error as { stdout?: unknown }).stdout);
      }
    };
    write('right.mts', lines(''));
    write('right.cts', lines(''));
    write('wrong.mts', lines("if (event.eventType === 'run.started') event.payload.text.trim();"));
    expect(check('right.mts', 'right.cts')).toBe('');
    expect(check('wrong.mts')).toMatch(/^wrong\.mts\(8,\d+\): error TS2339: Property 'text' does not exist/);
  });

  it('has at most 12 kB when it is bundled, minified and compressed', () => {
    const entry = join(project, 'node_modules/@lensforge/sdk/esm/index.js');
    write(
      'bundle.mjs',
      `import { rolldown } from ${JSON.stringify(join(root, 'node_modules/rolldown/dist/index.mjs'))};
const bundle = await rolldown({ input: ${JSON.stringify(entry)}, platform: 'browser' });
const { output } = await bundle.generate({ minify: true });
process.stdout.write(output[0].code);`,
    );
    const code = node('bundle.mjs');
    expect(code).toContain('/v1/lenses/{lensId}/execute');
    expect(gzipSync(code).length).toBeLessThan(maxGzippedBytes);
  });
});
