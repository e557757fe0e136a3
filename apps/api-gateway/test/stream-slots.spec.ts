import { afterEach, describe, expect, it } from '@jest/globals';
import { closeRedis, openRedis } from '@lensforge/queue';
import { createLogger } from '@lensforge/edge';
import {
  type FaultProxy,
  type StreamRefused,
  faultProxy,
  freshRedisPrefix,
  readEvents,
  testRedisUrl,
  until,
} from '@lensforge/testing';
import { type StreamSlot, StreamSlots } from '../src/event-stream/stream-slots.js';
import { aGateway } from './gateway.js';

const log = createLogger({ service: 'spec', level: 'silent', format: 'json' });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface TestGateway {
  slots: StreamSlots;
  /** Ends the process: nothing is renewed or released any more. */
  kill(): Promise<void>;
}

/** By default their Redis may be slow, as on a busy machine. */
async function gateways(
  count: number,
  { leaseMs = 60_000, redisTimeoutMs = 30_000 } = {},
): Promise<{ proxy: FaultProxy; all: TestGateway[] }> {
  const proxy = await faultProxy({ to: testRedisUrl() });
  closing.push(() => proxy.close());
  const prefix = freshRedisPrefix();
  const all = await Promise.all(
    Array.from({ length: count }, async () => {
      const redis = openRedis({ url: `redis://127.0.0.1:${proxy.port}` }, 'producer', { name: 'spec', log });
      await until(() => redis.status === 'ready');
      const slots = new StreamSlots({ redis, prefix, replicas: count, logger: log, leaseMs, redisTimeoutMs });
      const kill = async (): Promise<void> => {
        slots.close();
        await closeRedis(redis);
      };
      closing.push(kill);
      return { slots, kill };
    }),
  );
  return { proxy, all };
}

const account = { name: 'ada', limit: 50, subject: 'This account', streams: 'event streams' };
const opened = (all: readonly TestGateway[], count: number, limits = [account]): Promise<StreamSlot[]> =>
  Promise.all(
    Array.from({ length: count }, (_, at) => all[at % all.length]!.slots.take(limits).catch(() => undefined)),
  ).then((slots) => slots.filter((slot) => slot !== undefined));

describe('the slots of event streams', () => {
  it('are exactly as many as the limit when three gateways open 60 at once, and free again after a release', async () => {
    const { all } = await gateways(3);
    const slots = await opened(all, 60);
    expect(slots).toHaveLength(50);
    expect(await opened(all, 3)).toHaveLength(0);
    for (const slot of slots.slice(0, 4)) slot.release();
    await until(async () => (await opened(all, 1)).length === 1);
    expect(await opened(all, 10)).toHaveLength(3);
  });

  it('count against all limits of a stream, or none', async () => {
    const { all } = await gateways(2);
    const groups = { ...account, name: 'groups:ada', limit: 5 };
    expect(await opened(all, 20, [groups, account])).toHaveLength(5);
    expect(await opened(all, 60)).toHaveLength(45);
  });

  it('of a killed gateway become free after the lease, and those of others stay', async () => {
    const { all } = await gateways(3, { leaseMs: 6000 });
    const [first, second, third] = all;
    await opened([first!], 20);
    await opened([second!], 30);
    expect(await opened([third!], 1)).toHaveLength(0);
    await first!.kill();
    await until(async () => (await opened([third!], 1)).length === 1);
    expect(await opened([third!], 60)).toHaveLength(19);
  });

  it('are a share of the limit at each gateway while Redis is away, and count together when it is back', async () => {
    const { proxy, all } = await gateways(3, { leaseMs: 20_000, redisTimeoutMs: 250 });
    proxy.cut();
    expect(await opened(all, 90)).toHaveLength(48);
    await expect(all[0]!.slots.take([account])).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message:
        'This account has 16 event streams open at this gateway while Redis is unavailable, which is the limit; close one and try again',
    });
    proxy.heal();
    // Until all gateways have written their slots again, the shares apply; then the last two of the limit are free.
    await until(async () => (await opened([all[0]!], 1)).length === 1);
    expect((await opened([all[0]!], 9)).length).toBe(1);
  });
});

describe('three gateways', () => {
  it('open 50 of 60 streams that an account asks for at once, and answer 429 to the others', async () => {
    const gateway = await aGateway({ LENSFORGE_STREAMS_PER_ACCOUNT: '50' });
    closing.push(() => gateway.stop());
    const urls = [gateway.url, await gateway.replica(), await gateway.replica()];
    const body = { params: { Name: 'Ada' } };
    const { data } = (await gateway.call('POST', `/v1/lenses/${gateway.lensId}/execute`, { body })).body;
    const headers = { authorization: `Bearer ${gateway.token}` };
    const countOpened = async (): Promise<number> => {
      const streams = Array.from({ length: 60 }, (_, at) =>
        readEvents(`${urls[at % 3]}/v1/runs/${String(data?.['runId'])}/events`, { headers }),
      );
      const statuses = await Promise.all(
        streams.map(({ opened }) =>
          opened.then(
            ({ status }) => status,
            (reason: unknown) => (reason as StreamRefused).status,
          ),
        ),
      );
      for (const stream of streams) stream.close();
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      return statuses.filter((status) => status === 200).length;
    };
    // A gateway whose Redis does not answer in time gives its share only, so that there may be fewer, and never more.
    const counts: number[] = [];
    await until(async () => {
      counts.push(await countOpened());
      return counts.at(-1) === 50;
    });
    expect(Math.max(...counts)).toBe(50);
  });
});
