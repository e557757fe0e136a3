import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

export interface ScriptedServer {
  url: string;
  requests: ReceivedRequest[];
  stop: () => Promise<void>;
}

/** A server that gives these answers, one for each request; the last one also to later requests. */
export async function aScriptedServer(...answers: Answer[]): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const received = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      requests.push(received);
      answers[Math.min(requests.length, answers.length) - 1]?.(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const send =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers });
    response.end(JSON.stringify(body));
  };

export const data = (value: unknown, meta: object = {}): Answer =>
  send(200, { data: value, meta: { requestId: 'req-1', ...meta }, error: null });

export const refusal = (
  status: number,
  code: string,
  { details, headers = {} }: { details?: object; headers?: Record<string, string> } = {},
): Answer =>
  send(status, { error: { code, message: `refused: ${code}`, details }, meta: { requestId: 'req-2' } }, headers);

/** Closes the connection without an answer. */
export const cut: Answer = (response) => void response.socket?.destroy();

/** Never answers. */
export const silence: Answer = () => undefined;

/** Sends frames; `cutAfter` closes the connection in the middle of the next one. */
export const frames =
  (sequences: readonly number[], { cutAfter = false, done = false } = {}): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = (sequence: number): string =>
      `id: ${sequence}\nevent: log\ndata: {"eventType":"log","payload":{"message":"line ${sequence}"},"sequence":${sequence}}\n\n`;
    response.write(`: keep-alive\n\n${sequences.map(text).join('')}`);
    if (done) response.end('id: 99\nevent: done\ndata: {"eventType":"done","payload":{"status":"succeeded"}}\n\n');
    else if (cutAfter) response.write('id: 100\nevent: log\nda', () => setImmediate(() => response.socket?.destroy()));
  };
