import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestServer {
  url: string;
  /** The headers of all requests so far. */
  requests: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[];
  close(): Promise<void>;
}

export type Handler = (body: string, response: ServerResponse, request: IncomingMessage) => unknown;

/** Starts an HTTP server on a loopback address. */
export async function aTestServer(
  handle: Handler,
  { path = '/mcp', host = '127.0.0.1' }: { path?: string; host?: string } = {},
): Promise<TestServer> {
  const requests: TestServer['requests'] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { method = '', url = '', headers } = request;
      requests.push({ method, path: url, headers, body });
      void handle(body, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}${path}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface RpcRequest {
  id?: number | string;
  method: string;
  params?: Record<string, unknown>;
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export interface LegacyParts {
  /** The results for methods besides initialize; undefined sends nothing. */
  answers: Readonly<Record<string, (params: Record<string, unknown>, response: ServerResponse) => unknown>>;
  /** True to answer the request itself. */
  before?: (request: IncomingMessage, response: ServerResponse, body: string) => boolean;
}

/** A hand-written server of the revision 2025-06-18, so that a test decides every byte. */
export const aLegacyServer = ({ answers, before }: LegacyParts): Promise<TestServer> =>
  aTestServer(async (body, response, request) => {
    if (before?.(request, response, body)) return;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params = {} } = JSON.parse(body) as RpcRequest;
    if (id === undefined) return void response.writeHead(202).end();
    const answer = { ...initialize, ...answers }[method];
    if (!answer) {
      sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
      return;
    }
    const result: unknown = await answer(params, response);
    if (result !== undefined && !response.headersSent) sendJson(response, 200, { jsonrpc: '2.0', id, result });
  });

const initialize: LegacyParts['answers'] = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'test', version: '1' },
  }),
};

export const aTool = (name = 'search', more: object = {}): object => ({
  name,
  description: 'Searches notes',
  inputSchema: { type: 'object' },
  ...more,
});

export const listOf = (...tools: object[]) => ({ 'tools/list': () => ({ tools }) });

export const textResult = (text: string): object => ({ content: [{ type: 'text', text }] });
