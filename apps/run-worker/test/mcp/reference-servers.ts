import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { newId } from '@lensforge/core';
import { until } from '@lensforge/testing';
import { type TestServer, aTestServer } from './test-server.js';

/** The program of an official reference server. */
function programOf(name: string): string {
  const manifest = createRequire(join(import.meta.dirname, 'x.js')).resolve(
    `@modelcontextprotocol/server-${name}/package.json`,
  );
  return join(dirname(manifest), 'dist', 'index.js');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The reference server `everything`, which speaks streamable HTTP with sessions. */
export async function startEverything(): Promise<Pick<TestServer, 'url' | 'close'>> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [programOf('everything'), 'streamableHttp'], {
    env: { PORT: String(port) },
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  await until(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    { what: 'the server everything' },
  );
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

/** A reference server that speaks stdio, over HTTP: each session has a process of its own. */
export async function startStdioServer(
  name: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<TestServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  // A request that opens no session has a process, too.
  const children: StdioClientTransport[] = [];
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const child = new StdioClientTransport({
      command: process.execPath,
      args: [programOf(name), ...args],
      env,
      stderr: 'ignore',
    });
    children.push(child);
    const http = new StreamableHTTPServerTransport({
      sessionIdGenerator: newId,
      onsessioninitialized: (id) => void sessions.set(id, http),
    });
    http.onmessage = (message) => void child.send(message);
    child.onmessage = (message) => void http.send(message);
    http.onclose = () => void child.close();
    await child.start();
    await http.start();
    return http;
  };
  const server = await aTestServer(async (body, response, request) => {
    const session = sessions.get(String(request.headers['mcp-session-id'])) ?? (await open());
    await session.handleRequest(request, response, body === '' ? undefined : (JSON.parse(body) as unknown));
  });
  return {
    ...server,
    close: async () => {
      await Promise.all(children.map((child) => child.close()));
      await server.close();
    },
  };
}

/** A server of the official library for the stateless revision 2026-07-28. */
export async function startModernServer(): Promise<TestServer> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'modern', version: '1' });
      server.registerTool('echo', { description: 'Echoes', annotations: { readOnlyHint: true } }, () => ({
        content: [{ type: 'text', text: 'modern' }],
      }));
      return server;
    },
    { legacy: 'reject' },
  );
  return aTestServer(async (body, response, { method = 'GET', headers, url = '' }) => {
    const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const request = new Request(new URL(url, 'http://127.0.0.1'), {
      method,
      headers: given,
      ...(body !== '' && { body }),
    });
    const answer = await handler.fetch(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
}
