import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliUser, type Outcome, aCliUser } from './cli-host.js';

interface Message {
  id?: number;
  method: string;
}

let server: Server;
let user: CliUser;
let handle: (message: Message, response: ServerResponse) => void;
const seen: { message: Message; headers: IncomingMessage['headers'] }[] = [];

const reply = (response: ServerResponse, { id }: Message, result: object): void =>
  void response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const message = JSON.parse(body) as Message;
      seen.push({ message, headers: request.headers });
      handle(message, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  user = await aCliUser({ LENSFORGE_API_KEY: 'lf_mcp_1', LENSFORGE_MCP_URL: `http://127.0.0.1:${port}/mcp` });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await user.close();
});
afterEach(() => {
  seen.length = 0;
});

const send = (...messages: (object | string)[]): Promise<Outcome> =>
  user.run(['mcp'], {
    stdin: messages.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n'),
  });
const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const repliesIn = ({ stdout }: Outcome): unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('lensforge mcp', () => {
  it('sends each message with the token, and the version that was agreed on', async () => {
    handle = (message, response) => {
      if (message.id === undefined) response.writeHead(202).end();
      else reply(response, message, message.method === 'initialize' ? { protocolVersion: '2025-06-18' } : {});
    };
    const outcome = await send(
      request(1, 'initialize', { protocolVersion: '2025-11-25' }),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      request(2, 'tools/call', { name: 'get_lens' }),
    );
    expect(repliesIn(outcome)).toEqual([
      { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-06-18' } },
      { jsonrpc: '2.0', id: 2, result: {} },
    ]);
    expect([outcome.code, outcome.stderr]).toEqual([0, '']);
    expect(seen.map(({ headers }) => [headers.authorization, headers['mcp-protocol-version']])).toEqual([
      ['Bearer lf_mcp_1', undefined],
      ['Bearer lf_mcp_1', '2025-06-18'],
      ['Bearer lf_mcp_1', '2025-06-18'],
    ]);
  });

  it('repeats version, method and name of a stateless request in its headers', async () => {
    handle = (message, response) => reply(response, message, {});
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    await send(request(1, 'tools/call', { name: 'schön', _meta: meta }));
    expect(seen[0]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': `=?base64?${Buffer.from('schön').toString('base64')}?=`,
    });
  });

  it('answers a line that is not JSON, and goes on', async () => {
    handle = (message, response) => reply(response, message, {});
    expect(repliesIn(await send('{', request(1, 'ping')))).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.stringContaining('Parse error') } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
  });

  it('answers a refused token with an error that says what to do', async () => {
    handle = (_, response) =>
      void response
        .writeHead(401, { 'x-request-id': 'req-7' })
        .end('{"data":null,"error":{"code":"unauthorized","message":"The token is unknown"}}');
    const outcome = await send(request(1, 'ping'), { jsonrpc: '2.0', method: 'notifications/x' });
    const error = { code: -32000, message: expect.stringMatching(/^The token is unknown\. Use an MCP, .*req-7\)$/) };
    expect(repliesIn(outcome)).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
    expect(outcome.stderr.match(/error: The token is unknown/g)).toHaveLength(2);
  });

  it('names the address of a server that cannot be reached', async () => {
    const outcome = await user.run(['mcp', '--mcp-url', 'http://127.0.0.1:1/mcp'], {
      stdin: JSON.stringify(request(1, 'ping')),
    });
    expect(outcome.stdout).toContain('http://127.0.0.1:1/mcp cannot be reached');
    expect(outcome.stdout).toContain('Check LENSFORGE_MCP_URL');
  });

  it('closes the connection of a request that the client cancels, and does not answer it', async () => {
    let closed: Promise<unknown> | undefined;
    handle = (message, response) => {
      if (message.method === 'ping') reply(response, message, {});
      else closed = new Promise((resolve) => response.once('close', resolve));
    };
    // The client cancels after the server has the request.
    async function* input(): AsyncGenerator<string> {
      yield `${JSON.stringify(request(1, 'tools/call'))}\n`;
      while (!closed) await new Promise((resolve) => setTimeout(resolve, 2));
      yield `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })}\n`;
      yield `${JSON.stringify(request(2, 'ping'))}\n`;
    }
    const outcome = await user.run(['mcp'], { stdin: input() });
    await closed;
    expect([outcome.code, repliesIn(outcome)]).toEqual([0, [{ jsonrpc: '2.0', id: 2, result: {} }]]);
  });
});
