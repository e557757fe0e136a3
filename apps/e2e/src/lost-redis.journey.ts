import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { knownServices } from '@lensforge/dev';
import { nothingFound } from './audit.js';
import { TestPlatform, withConcurrency } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({
    services: knownServices('api-gateway', 'run-worker'),
    replicas: { 'run-worker': 2 },
  });
});
afterAll(() => setup.close());

describe('Redis', () => {
  it('can be flushed with hundreds of runs in the queue, and all of them end', async () => {
    await withConcurrency(400, 16, () => setup.accepted({ script: { pieces: 2, pieceDelayMs: 100 } }));
    const redis = new Redis(setup.platform.redisUrl);
    await redis.flushall();
    redis.disconnect();
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
  });
});
