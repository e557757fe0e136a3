import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export type Scene = (response: ServerResponse) => void | Promise<void>;

export interface WireServer {
  url: string;
  received: ReceivedRequest[];
  /** Sets the scenes of the next calls; the last scene is repeated. */
  play(...scenes: Scene[]): void;
  close(): Promise<void>;
}

/** A server on a real socket that plays scenes. */
export async function aWireServer(): Promise<WireServer> {
  const received: ReceivedRequest[] = [];
  let scenes: Scene[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || 'null');
      received.push({ path: request.url ?? '', headers: request.headers, body });
      const [scene] = scenes;
      if (scenes.length > 1) scenes = scenes.slice(1);
      response.on('error', () => undefined);
      void scene?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    play: (...some) => {
      received.length = 0;
      scenes = some;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const begin = (response: ServerResponse, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });

const written = (response: ServerResponse, chunk: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => response.write(chunk, () => resolve()));

export const answers =
  (frames: readonly string[], headers?: Record<string, string>): Scene =>
  async (response) => {
    begin(response, headers);
    for (const frame of frames) await written(response, frame);
    response.end();
  };

/** The same in chunks of three bytes, so that characters and frames are split. */
export const answersInChunks =
  (frames: readonly string[]): Scene =>
  async (response) => {
    begin(response);
    const bytes = Buffer.from(frames.join(''));
    for (let at = 0; at < bytes.length; at += 3) await written(response, bytes.subarray(at, at + 3));
    response.end();
  };

export const refuses =
  (status: number, body: object | string, headers: Record<string, string> = {}): Scene =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** Some frames and half of another, then the connection is closed. */
export const cutsAfter =
  (frames: readonly string[]): Scene =>
  async (response) => {
    begin(response);
    for (const frame of frames.slice(0, -1)) await written(response, frame);
    const last = frames.at(-1) ?? '';
    await written(response, last.slice(0, last.length / 2));
    response.socket?.destroy();
  };

/** Some frames, then a regular end. */
export const stopsAfter =
  (frames: readonly string[]): Scene =>
  async (response) => {
    begin(response);
    for (const frame of frames) await written(response, frame);
    response.end();
  };

export const hangs = (): Scene => () => undefined;

export const hangsAfter =
  (frames: readonly string[]): Scene =>
  async (response) => {
    begin(response);
    for (const frame of frames) await written(response, frame);
  };

/** Repeats a frame until the client disconnects. */
export const neverEnds =
  (first: readonly string[], again: string): Scene =>
  async (response) => {
    begin(response);
    for (const frame of first) await written(response, frame);
    while (!response.destroyed) await written(response, again);
  };
