import { afterEach, describe, expect, it } from '@jest/globals';
import { Drain } from './drain.js';
import type { PlatformOverrides } from './platform.js';
import { startTogether } from './serve-together.js';
import type { Service } from './serve.js';

let begun: { name: string; overrides: PlatformOverrides }[] = [];
let collected: string[] = [];
afterEach(() => {
  begun = [];
  collected = [];
});

/** The start of a service that has only what the process needs of it. */
const aStart =
  (name: string, ready: Promise<unknown> = Promise.resolve()) =>
  async (overrides: PlatformOverrides) => {
    begun.push({ name, overrides });
    await ready;
    const platform = { metrics: { collectProcess: () => void collected.push(name) } };
    return { platform, stop: () => overrides.drain?.run(1000) } as unknown as Service;
  };

describe('startTogether', () => {
  it('gives each service its ports and all of them one drain', async () => {
    const source = { PORT: '4000', LENSFORGE_MANAGEMENT_PORT: '4050', HOST: '0.0.0.0' };
    const others = { 100: aStart('second'), 200: aStart('third') };
    const service = await startTogether({ name: 'x', first: aStart('first'), others }, source);
    const settings = Object.fromEntries(begun.map(({ name, overrides }) => [name, overrides.environment]));
    expect(settings).toEqual({
      first: source,
      second: { ...source, PORT: '4100', LENSFORGE_MANAGEMENT_PORT: '4150' },
      third: { ...source, PORT: '4200', LENSFORGE_MANAGEMENT_PORT: '4250' },
    });
    const drains = new Set(begun.map(({ overrides }) => overrides.drain));
    expect([...drains]).toEqual([expect.any(Drain)]);
    await service.stop();
    expect([...drains].map((drain) => drain?.draining)).toEqual([true]);
    expect(collected).toEqual(['first']);
  });

  it('leaves a port that is chosen by the system, and one that is not valid, to the services', async () => {
    await startTogether({ name: 'x', first: aStart('first'), others: { 100: aStart('second') } }, { PORT: '0' });
    await startTogether({ name: 'x', first: aStart('first'), others: { 100: aStart('second') } }, { PORT: 'http' });
    expect(begun.map(({ overrides }) => overrides.environment?.['PORT'])).toEqual(['0', '0', 'http', 'http']);
  });

  it('starts the first service when all others are ready, and not when one of them cannot start', async () => {
    const failing = aStart('third', Promise.reject(new Error('no database')));
    const services = { name: 'x', first: aStart('first'), others: { 100: aStart('second'), 200: failing } };
    await expect(startTogether(services, { PORT: '0' })).rejects.toThrow('no database');
    expect(begun.map(({ name }) => name)).toEqual(['second', 'third']);
  });
});
