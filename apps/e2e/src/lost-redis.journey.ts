import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { nothingFound } from './audit.js';
import { TestPlatform, inTurns } from './test-platform.js';

let stage: TestPlatform;
beforeAll(async () => {
  stage = await TestPlatform.open({ replicas: { 'run-worker': 2 } });
}, 240_000);
afterAll(() => stage.close(), 60_000);

describe('Redis', () => {
  it('may be emptied with hundreds of runs in the queue: all of them end', async () => {
    await inTurns(400, 16, () => stage.accepted({ script: { pieces: 2, pieceDelayMs: 100 } }));
    const redis = new Redis(stage.platform.redisUrl);
    await redis.flushall();
    redis.disconnect();
    await stage.allEnded(60_000);
    expect(await stage.findings()).toEqual(nothingFound);
  }, 240_000);
});
