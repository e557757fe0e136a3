import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { knownServices } from '@lensforge/dev';
import { StreamRefused, faultProxy, until } from '@lensforge/testing';
import { Redis } from 'ioredis';
import { nothingFound } from './audit.js';
import { TestPlatform, isBusy, withConcurrency } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({
    services: knownServices('api-gateway', 'run-worker'),
    replicas: { 'api-gateway': 2 },
    environment: { LENSFORGE_STREAMS_PER_ACCOUNT: '1000' },
  });
});
afterAll(() => setup.close());

interface Frame {
  id: number;
  event: string;
  data: string;
}

describe('a stream of events', () => {
  it('sends each event once and in order over random cuts and changing gateways', async () => {
    const proxies = await Promise.all([0, 1].map((n) => faultProxy({ to: setup.platform.urlOf('api-gateway', n) })));
    const runIds = await withConcurrency(4, 4, () => setup.accepted({ script: { pieces: 400, pieceDelayMs: 25 } }));
    const readings = await Promise.all(runIds.map((runId) => readThroughCuts(runId, proxies)));
    await setup.allEnded();
    expect(readings.reduce((sum, { cuts }) => sum + cuts, 0)).toBeGreaterThanOrEqual(50);
    for (const [index, { frames }] of readings.entries()) {
      const stored = await storedEvents(runIds[index] ?? '');
      expect(frames.map(({ id, event }) => [id, event])).toEqual([...stored, [stored.length + 1, 'done']]);
    }
    expect(await setup.findings()).toEqual(nothingFound);
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  it('continues from PostgreSQL when Redis is lost', async () => {
    const runId = await setup.accepted({ script: { pieces: 40, pieceDelayMs: 100 } });
    const reading = collect(setup.follow(runId));
    await until(async () => (await setup.statusOf(runId)) === 'running');
    const redis = new Redis(setup.platform.redisUrl);
    await redis.client('KILL', 'TYPE', 'pubsub');
    redis.disconnect();
    await setup.platform.hold('redis');
    const frames = await reading;
    await setup.platform.resume('redis');
    const stored = await storedEvents(runId);
    expect(frames.map(({ id, event }) => [id, event])).toEqual([...stored, [stored.length + 1, 'done']]);
  });

  it('sends all events of one run to a thousand readers', async () => {
    const runId = await setup.accepted({ script: { delayMs: 4000, pieces: 10, pieceDelayMs: 60 } });
    const readings = Array.from({ length: 1000 }, (_, n) => readPatiently(runId, n % 2));
    const all = await Promise.all(readings);
    const stored = await storedEvents(runId);
    const want = [...stored, [stored.length + 1, 'done']];
    const wrong = all.filter(
      (frames) => JSON.stringify(frames.map(({ id, event }) => [id, event])) !== JSON.stringify(want),
    );
    expect(wrong).toEqual([]);
  });

  it('is not slowed down by readers that read nothing', async () => {
    const runId = await setup.accepted({ script: { delayMs: 1500, pieces: 300, pieceDelayMs: 5 } });
    const deaf = await Promise.all(Array.from({ length: 50 }, () => deafReader(runId)));
    const stored = collect(setup.follow(runId));
    const frames = await stored;
    expect(frames.at(-1)?.event).toBe('done');
    for (const hangUp of deaf) hangUp();
    expect((await setup.call('GET', '/health')).status).toBe(200);
  });
});

const storedEvents = async (runId: string): Promise<[number, string][]> => {
  const rows = await setup.db.query<{ sequence: number; type: string }[]>(
    'select sequence, type from run_events where run_id = $1 order by sequence',
    [runId],
  );
  return rows.map(({ sequence, type }) => [sequence, type]);
};

async function collect(
  stream: AsyncIterable<{ id: string | undefined; event: string | undefined; data: string }>,
): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const { id, event, data } of stream) frames.push({ id: Number(id), event: String(event), data });
  return frames;
}

/** Reads a run to its end, and asks again while the gateway is busy. */
const readPatiently = (runId: string, gateway: number): Promise<Frame[]> =>
  collect(setup.follow(runId, { gateway })).catch((reason: unknown) => {
    if (reason instanceof StreamRefused && isBusy(reason.status)) return readPatiently(runId, gateway);
    throw reason;
  });

/** Reads a run to its end through connections to changing gateways that break after some hundreds of bytes. */
async function readThroughCuts(
  runId: string,
  proxies: readonly { port: number; dropAfter(bytes: number): void }[],
): Promise<{ frames: Frame[]; cuts: number }> {
  const frames: Frame[] = [];
  let cuts = 0;
  while (frames.at(-1)?.event !== 'done') {
    const proxy = proxies[cuts % proxies.length];
    if (!proxy) throw new Error('no proxy');
    const last = frames.at(-1)?.id;
    const stream = setup.follow(runId, {
      url: `http://127.0.0.1:${proxy.port}`,
      ...(last !== undefined && { lastEventId: String(last) }),
    });
    try {
      await stream.opened;
      proxy.dropAfter(Math.floor(Math.random() * 2500));
      for await (const { id, event, data } of stream) frames.push({ id: Number(id), event: String(event), data });
    } catch {
      /* cut: resumed after what has arrived whole */
    }
    cuts += 1;
    if (cuts > 2000) throw new Error(`still no end after ${cuts} cuts and ${frames.length} events`);
  }
  return { frames, cuts };
}

async function deafReader(runId: string): Promise<() => void> {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(setup.platform.urlOf('api-gateway'));
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.pause();
  socket.write(
    `GET /v1/runs/${runId}/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${setup.token}\r\n\r\n`,
  );
  return () => socket.destroy();
}
