import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultProxy, until } from '@lensforge/testing';
import { Redis } from 'ioredis';
import { nothingFound } from './audit.js';
import { TestPlatform, inTurns } from './test-platform.js';

let stage: TestPlatform;
beforeAll(async () => {
  stage = await TestPlatform.open({
    replicas: { 'api-gateway': 2 },
    environment: { LENSFORGE_STREAMS_PER_ACCOUNT: '1000' },
  });
}, 240_000);
afterAll(() => stage.close(), 60_000);

interface Frame {
  id: number;
  event: string;
  data: string;
}

describe('a stream of events', () => {
  it('cut at random, resumed at any gateway, gives each event once and in order', async () => {
    const proxies = await Promise.all([0, 1].map((n) => faultProxy({ to: stage.platform.urlOf('api-gateway', n) })));
    const runIds = await inTurns(4, 4, () => stage.accepted({ script: { pieces: 400, pieceDelayMs: 25 } }));
    const readings = await Promise.all(runIds.map((runId) => readThroughCuts(runId, proxies)));
    await stage.allEnded();
    expect(readings.reduce((sum, { cuts }) => sum + cuts, 0)).toBeGreaterThanOrEqual(50);
    for (const [index, { frames }] of readings.entries()) {
      const stored = await storedEvents(runIds[index] ?? '');
      expect(frames.map(({ id, event }) => [id, event])).toEqual([...stored, [stored.length + 1, 'done']]);
    }
    expect(await stage.findings()).toEqual(nothingFound);
    await Promise.all(proxies.map((proxy) => proxy.close()));
  }, 240_000);

  it('lost by Redis in the middle goes on from Postgres', async () => {
    const runId = await stage.accepted({ script: { pieces: 40, pieceDelayMs: 100 } });
    const reading = collect(stage.follow(runId));
    await until(async () => (await stage.statusOf(runId)) === 'running');
    const redis = new Redis(stage.platform.redisUrl);
    await redis.client('KILL', 'TYPE', 'pubsub');
    redis.disconnect();
    await stage.platform.hold('redis');
    const frames = await reading;
    await stage.platform.resume('redis');
    const stored = await storedEvents(runId);
    expect(frames.map(({ id, event }) => [id, event])).toEqual([...stored, [stored.length + 1, 'done']]);
  }, 180_000);

  it('reaches a thousand readers of one run, each with the whole, where an account may have so many', async () => {
    const runId = await stage.accepted({ script: { delayMs: 4000, pieces: 10, pieceDelayMs: 60 } });
    const readings = Array.from({ length: 1000 }, (_, n) => collect(stage.follow(runId, { gateway: n % 2 })));
    const all = await Promise.all(readings);
    const stored = await storedEvents(runId);
    const want = [...stored, [stored.length + 1, 'done']];
    const wrong = all.filter(
      (frames) => JSON.stringify(frames.map(({ id, event }) => [id, event])) !== JSON.stringify(want),
    );
    expect(wrong).toEqual([]);
  }, 240_000);

  it('of readers that read nothing costs the others nothing', async () => {
    const runId = await stage.accepted({ script: { delayMs: 1500, pieces: 300, pieceDelayMs: 5 } });
    const deaf = await Promise.all(Array.from({ length: 50 }, () => deafReader(runId)));
    const stored = collect(stage.follow(runId));
    const frames = await stored;
    expect(frames.at(-1)?.event).toBe('done');
    for (const hangUp of deaf) hangUp();
    expect((await stage.call('GET', '/health')).status).toBe(200);
  }, 180_000);
});

const storedEvents = async (runId: string): Promise<[number, string][]> => {
  const rows = await stage.db.query<{ sequence: number; type: string }[]>(
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

/** Reads a run to its end through connections that break after some hundreds of bytes, now here, now there. */
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
    const stream = stage.follow(runId, {
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
  const { hostname, port } = new URL(stage.platform.urlOf('api-gateway'));
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.pause();
  socket.write(
    `GET /v1/runs/${runId}/events HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${stage.token}\r\n\r\n`,
  );
  return () => socket.destroy();
}
