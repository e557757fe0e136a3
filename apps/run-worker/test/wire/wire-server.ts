import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

export type Scene = (response: ServerResponse) => void | Promise<void>;

export interface WireServer {
  url: string;
  heard: Heard[];
  /** What is done with the next calls; the last scene is played again and again. */
  play(...scenes: Scene[]): void;
  close(): Promise<void>;
}

/** A server on a real socket that plays what it is told to. */
export async function aWireServer(): Promise<WireServer> {
  const heard: Heard[] = [];
  let scenes: Scene[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || 'null');
      heard.push({ path: request.url ?? '', headers: request.headers, body });
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
    heard,
    play: (...some) => {
      heard.length = 0;
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

/** The same in pieces of a few bytes, so that characters and frames are torn. */
export const answersInCrumbs =
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

/** Some frames and the half of another, then the connection is gone. */
export const cutsAfter =
  (frames: readonly string[]): Scene =>
  async (response) => {
    begin(response);
    for (const frame of frames.slice(0, -1)) await written(response, frame);
    const last = frames.at(-1) ?? '';
    await written(response, last.slice(0, last.length / 2));
    response.socket?.destroy();
  };

/** Some frames, then an end as if that were all. */
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

/** Says the same frames until nobody listens any more. */
export const neverEnds =
  (first: readonly string[], again: string): Scene =>
  async (response) => {
    begin(response);
    for (const frame of first) await written(response, frame);
    while (!response.destroyed) await written(response, again);
  };
