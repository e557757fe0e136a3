import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { aLens } from '@lensforge/lenses/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tools } from '@lensforge/tools';
import { examples, toolsOfTokens } from './examples/index.js';
import { type Fixtures, someFixtures } from './examples/fixtures.js';
import { McpService } from './mcp-service.js';

let service: McpService;
let fixtures: Fixtures;

beforeAll(async () => {
  service = await McpService.start();
  fixtures = await someFixtures(service);
});
afterAll(() => service.stop());

/** The methods that both versions of the official client have. */
interface SdkClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  getServerVersion(): { name: string } | undefined;
  close(): Promise<void>;
}

const clientInfo = { name: 'a-test', version: '1.0.0' };
const requestInit = () => ({ requestInit: { headers: { authorization: `Bearer ${fixtures.mine.bearer}` } } });

async function sdk1(): Promise<SdkClient> {
  const client = new Client1(clientInfo);
  await client.connect(new Transport1(new URL(service.url), requestInit()));
  return client;
}

type Mode = 'legacy' | 'auto' | { pin: string };
const sdk2 = (mode: Mode) => async (): Promise<SdkClient> => {
  const client = new Client2(clientInfo, { versionNegotiation: { mode } });
  await client.connect(new Transport2(new URL(service.url), requestInit()));
  return client;
};

describe.each([
  ['1.x', sdk1],
  ['2.x as a legacy client', sdk2('legacy')],
  ['2.x with version negotiation', sdk2('auto')],
  ['2.x pinned to 2026-07-28', sdk2({ pin: '2026-07-28' })],
])('the official client %s', (_name, connect) => {
  let client: SdkClient;
  beforeAll(async () => {
    client = await connect();
    // The client validates results against the schemas that it has listed.
    await client.listTools();
  });
  afterAll(() => client.close());

  it('reads the server name and lists the tools', async () => {
    expect(client.getServerVersion()).toMatchObject({ name: 'lensforge' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  });

  it.each(toolsOfTokens.map(({ name }) => name))(
    'calls %s and validates its result against the schema',
    async (name) => {
      const fresh = { ...fixtures, myLens: await aLens(fixtures.mine.ctx) };
      const args = (await examples[name]?.good(fresh)) as Record<string, unknown>;
      expect(await client.callTool({ name, arguments: args })).toMatchObject({ content: [{ type: 'text' }] });
    },
  );

  it('receives the error of a tool, and an error for an unknown tool', async () => {
    const failed = await client.callTool({ name: 'get_lens', arguments: { lens_id: fixtures.missing } });
    expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('NOT_FOUND') }] });
    await expect(client.callTool({ name: 'frobnicate', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });
});

it('the inspector lists the tools and calls them', async () => {
  const launcher = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli');
  const program = join(dirname(launcher), 'index.js');
  const inspect = async (...args: string[]) => {
    const header = `Authorization: Bearer ${fixtures.mine.bearer}`;
    const all = [program, service.url, '--transport', 'http', '--header', header, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, all, { cwd: dirname(program) });
    return JSON.parse(stdout) as unknown;
  };
  expect(await inspect('--method', 'tools/list')).toMatchObject({ tools: tools.map(({ name }) => ({ name })) });
  const call = ['--method', 'tools/call', '--tool-name', 'get_lens', '--tool-arg'];
  expect(await inspect(...call, `lens_id=${fixtures.myLens.id}`)).toMatchObject({
    structuredContent: { id: fixtures.myLens.id },
  });
  expect(await inspect(...call, `lens_id=${fixtures.missing}`)).toMatchObject({ isError: true });
});
