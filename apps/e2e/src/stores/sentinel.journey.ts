import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '@lensforge/embedded';
import { until } from '@lensforge/testing';
import { Redis } from 'ioredis';
import { nothingFound } from '../audit.js';
import { TestPlatform } from '../test-platform.js';
import { loadDuring } from './load.js';
import { type Program, describeWith, temporaryFolder } from './programs.js';
import { primaryPassword, sentinelPassword, startRedisServer, startSentinel } from './redis-server.js';

describeWith(['redis-server', 'redis-sentinel'])('Redis with Sentinels', () => {
  const folder = temporaryFolder();
  const password = ['--requirepass', primaryPassword, '--masterauth', primaryPassword];
  let primary: Program;
  let others: Program[] = [];
  let ports: number[] = [];
  let setup: TestPlatform | undefined;

  beforeAll(async () => {
    ports = [await freePort(), await freePort(), await freePort(), await freePort(), await freePort()];
    const [first = 0, second = 0, ...sentinels] = ports;
    primary = await startRedisServer(folder, first, ['--port', `${first}`, ...password]);
    const replica = ['--port', `${second}`, '--replicaof', '127.0.0.1', `${first}`, ...password];
    others = [await startRedisServer(folder, second, replica)];
    for (const port of sentinels) others.push(await startSentinel(folder, port, first));
    const watching = new Redis({ host: '127.0.0.1', port: sentinels[0] ?? 0, password: sentinelPassword });
    const knowsAll = async (): Promise<boolean> => {
      const found = (await watching.call('SENTINEL', 'MASTER', 'jobs')) as string[];
      const field = (name: string): string | undefined => found[found.indexOf(name) + 1];
      return field('num-slaves') === '1' && field('num-other-sentinels') === '2';
    };
    await until(knowsAll, { every: 200, what: 'Sentinels that know the replica and each other' });
    watching.disconnect();
    setup = await TestPlatform.open({
      allInOne: true,
      redisUrl: `redis://:${primaryPassword}@127.0.0.1:${first}`,
      environment: {
        REDIS_SENTINELS: sentinels.map((port) => `127.0.0.1:${port}`).join(','),
        REDIS_SENTINEL_MASTER: 'jobs',
        REDIS_SENTINEL_PASSWORD: sentinelPassword,
      },
    });
  });
  afterAll(async () => {
    await setup?.close();
    await Promise.all([primary, ...others].map((program) => program.stop()));
    folder.remove();
  });

  it('follows the primary when it is killed under load, without a failed request or a broken stream', async () => {
    const [, second = 0] = ports;
    const platform = setup as TestPlatform;
    await loadDuring(platform, async () => {
      await primary.kill();
      const replica = new Redis({ host: '127.0.0.1', port: second, password: primaryPassword });
      await until(async () => (await replica.role())[0] === 'master', { every: 100, what: 'a new primary' });
      await until(async () => String(await replica.client('LIST')).includes('name=api-gateway'), {
        every: 100,
        what: 'services at the new primary',
      });
      replica.disconnect();
      await pause(1000);
    });
    expect(await platform.findings()).toEqual(nothingFound);
  });
});
