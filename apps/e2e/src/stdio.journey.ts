import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestPlatform } from './test-platform.js';

const program = fileURLToPath(new URL('../../mcp-gateway/bin/lensforge-mcp.js', import.meta.url));
const commandLine = fileURLToPath(new URL('../../../bundle/lensforge.js', import.meta.url));
const operate = fileURLToPath(new URL('../../../bundle/lensforge-operate.js', import.meta.url));
let setup: TestPlatform;
let environment: Record<string, string>;

beforeAll(async () => {
  setup = await TestPlatform.open({ allInOne: true });
  const { PATH = '' } = process.env;
  const shared = { PATH, NODE_ENV: 'development', DATABASE_URL: setup.platform.databaseUrl };
  const issuing = { ...shared, LENSFORGE_MASTER_KEY: setup.masterKey };
  const { stdout } = await promisify(execFile)(process.execPath, [operate, 'issue-service-role-key'], { env: issuing });
  environment = { ...shared, LENSFORGE_SERVICE_ROLE_KEY: stdout.trim() };
});
afterAll(() => setup.close());

it('lensforge-mcp serves an official client over stdio', async () => {
  const client = new Client({ name: 'a-test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], env: environment }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run_lens');
  const found = await client.callTool({ name: 'get_lens', arguments: { lens_id: setup.lensId } });
  expect(found.structuredContent).toMatchObject({ id: setup.lensId, title: 'Journey' });
  await client.close();
});

it.each(['mcp', 'organisation', 'session'])(
  'lensforge mcp serves an official client with a token of the kind %s',
  async (kind) => {
    const { PATH = '' } = process.env;
    const args = [commandLine, 'mcp', '--mcp-url', `${setup.platform.urlOf('mcp-gateway')}/mcp`];
    const env = { PATH, LENSFORGE_API_KEY: setup.platform.tokens[kind] ?? '' };
    const client = new Client({ name: 'a-test', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run_lens');
    const listed = await client.callTool({ name: 'list_lenses', arguments: { limit: 1 } });
    expect(listed.structuredContent).toMatchObject({ items: expect.any(Array) });
    await client.close();
  },
);

/** Runs the program with this input to its end. */
function run(
  env: Record<string, string>,
  input: string,
): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [program], { env });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output, errors })));
}

it('lensforge-mcp ends with its input and writes only the protocol to stdout', async () => {
  const ping = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
  const { code, output } = await run(environment, ping(1) + ping(2));
  expect({ code, output }).toEqual({
    code: 0,
    output: '{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"result":{}}\n',
  });
});

it('lensforge-mcp reports missing settings on stderr', async () => {
  const { LENSFORGE_SERVICE_ROLE_KEY: _, ...without } = environment;
  expect(await run(without, '')).toEqual({
    code: 1,
    output: '',
    errors: expect.stringContaining('LENSFORGE_SERVICE_ROLE_KEY is missing'),
  });
});
