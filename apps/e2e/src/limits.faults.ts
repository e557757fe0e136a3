import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestPlatform, countBy, withConcurrency } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({
    replicas: { 'api-gateway': 2 },
    environment: { LENSFORGE_RATE_EXECUTE_PER_MINUTE: '40' },
  });
});
afterAll(() => setup.close());

const burst = (count: number) => withConcurrency(count, 10, (n) => setup.execute({ gateway: n % 2 }));

describe('the limit of executions', () => {
  it('holds over both gateways, and Retry-After is exact', async () => {
    const answers = await burst(120);
    const counts = countBy(answers.map(({ status }) => status));
    expect(counts['202']).toBeGreaterThanOrEqual(39);
    expect(counts['202']).toBeLessThanOrEqual(41);
    expect((counts['202'] ?? 0) + (counts['429'] ?? 0)).toBe(120);
    const waits = answers
      .filter(({ status }) => status === 429)
      .map(({ headers }) => Number(headers.get('retry-after')));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1);
    const last = await setup.execute();
    await new Promise((resolve) => setTimeout(resolve, Number(last.headers.get('retry-after')) * 1000));
    expect((await setup.execute()).status).toBe(202);
  });

  it('allows a share of the requests while Redis is down', async () => {
    await setup.platform.hold('redis');
    const answers = await burst(120);
    const counts = countBy(answers.map(({ status }) => status));
    expect(Object.keys(counts).sort()).toEqual(['202', '429']);
    expect(counts['202']).toBeGreaterThanOrEqual(19);
    expect(counts['202']).toBeLessThanOrEqual(40);
    await setup.platform.resume('redis');
  });
});
