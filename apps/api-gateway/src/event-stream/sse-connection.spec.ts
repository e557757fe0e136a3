import { type AddressInfo, connect } from 'node:net';
import { type ServerResponse, createServer } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { RunEvent } from '@lensforge/contracts';
import { newId, platformActor } from '@lensforge/core';
import { runLog } from './event-log.js';
import type { SseConnection } from './sse-connection.js';
import { GroupReader } from './group-reader.js';
import { Reader } from './reader.js';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** The response to a client that does not read it. */
const stalledResponse = (): Promise<ServerResponse> =>
  new Promise((resolve) => {
    const server = createServer((_request, response) => {
      response.writeHead(200);
      resolve(response);
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const client = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'));
      client.on('error', () => undefined);
      client.pause();
      open.push(
        () => client.destroy(),
        () => server.close(),
      );
    });
  });

const event = (sequence: number, bytes: number): RunEvent => ({
  eventType: 'node.output.delta',
  payload: { nodeId: 'lens', text: 'x'.repeat(bytes) },
  occurredAt: '2026-01-01T00:00:00.000Z',
  runId: newId(),
  sequence,
});
const stream = { id: newId(), endless: true, kinds: ['lens'] } as const;

type Sender = SseConnection & { sent: number };
const readers: [string, (response: ServerResponse, now: () => number) => [Sender, (n: number) => void]][] = [
  [
    'a run',
    (response, now) => {
      const reader = new Reader(response, { actor: platformActor, log: runLog, lastSequence: 0, sent: 0, now });
      return [reader, (n) => reader.send(event(n, 100_000))];
    },
  ],
  [
    'a group',
    (response, now) => {
      const reader = new GroupReader(response, { actor: platformActor, stream, sent: 0, now });
      return [reader, (n) => reader.send({ position: n, kind: 'lens', event: event(n, 100_000) })];
    },
  ],
];

describe.each(readers)('a reader of %s that does not read its response', (_, make) => {
  it('is cut before much unsent data piles up, and can resume', async () => {
    const response = await stalledResponse();
    const [reader, send] = make(response, () => 0);
    let maxUnsent = 0;
    let n = 0;
    while (reader.open && n < 500) {
      send((n += 1));
      maxUnsent = Math.max(maxUnsent, response.writableLength);
      // Lets the socket send what it can.
      if (n % 2) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(reader.open).toBe(false);
    expect(reader.sent).toBeLessThan(n);
    expect(maxUnsent).toBeLessThan(128 * 1024 + 110_000);
  });

  it('is cut after 30 seconds and not before', async () => {
    const response = await stalledResponse();
    let now = 0;
    const [reader, send] = make(response, () => now);
    for (let n = 1; reader.open && !response.writableNeedDrain && n < 500; n += 1) {
      send(n);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(response.writableNeedDrain).toBe(true);
    now = 29_999;
    reader.tick({ keepAliveMs: 1e9, stallMs: 30_000 });
    expect(reader.open).toBe(true);
    now = 30_000;
    reader.tick({ keepAliveMs: 1e9, stallMs: 30_000 });
    expect(reader.open).toBe(false);
    await reader.drained();
  });
});
