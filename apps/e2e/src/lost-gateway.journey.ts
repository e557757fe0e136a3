import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, withConcurrency } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({ replicas: { 'api-gateway': 2 } });
});
afterAll(() => setup.close());

describe('an idempotency key', () => {
  it('starts one run for 100 concurrent requests over two gateways', async () => {
    const keys = Array.from({ length: 10 }, () => newId());
    for (const idempotencyKey of keys) {
      const answers = await withConcurrency(100, 100, (n) =>
        setup.decided({ gateway: n % 2, body: { idempotencyKey } }),
      );
      expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: 100 });
      expect(new Set(answers.map(({ body }) => body.data?.['runId'])).size).toBe(1);
    }
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
  });

  it('starts another run for another user and for another lens', async () => {
    const idempotencyKey = newId();
    const body = { params: { Name: 'Ada', Product: 'x', Audience: 'y' }, idempotencyKey };
    const own = await setup.call('POST', `/v1/lenses/${setup.lensId}/execute`, { body });
    const otherLens = await setup.call('POST', `/v1/lenses/${setup.platform.lensId ?? ''}/execute`, { body });
    const otherUser = await setup.call('POST', `/v1/lenses/${setup.platform.lensId ?? ''}/execute`, {
      body,
      token: setup.platform.tokens['organisation'] ?? '',
    });
    const answers = [own, otherLens, otherUser];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ body: { data } }) => data?.['runId'])).size).toBe(3);
  });
});

describe('a gateway that dies', () => {
  it('between the commit and the queue loses no run', async () => {
    await setup.platform.hold('redis');
    const runIds = await withConcurrency(20, 5, () => setup.accepted({ gateway: 0 }));
    setup.platform.kill('api-gateway', 0, 'SIGKILL');
    await setup.platform.resume('redis');
    await setup.allEnded();
    for (const runId of runIds) expect(await setup.statusOf(runId, 1)).toBe('succeeded');
    expect(await setup.findings()).toEqual(nothingFound);
  });

  it('at any time under load leaves one run for each key', async () => {
    await until(async () => (await setup.call('GET', '/health', { gateway: 0 })).status === 200);
    const keys = Array.from({ length: 200 }, () => newId());
    const asked = withConcurrency(keys.length, 10, async (n) => {
      const order = { body: { idempotencyKey: keys[n] } };
      const first = await setup.execute({ ...order, gateway: 0 }).catch(() => undefined);
      const again = await setup.decided({ ...order, gateway: 1 });
      return { first: first?.body.data?.['runId'], again: again.body.data?.['runId'], status: again.status };
    });
    for (let kill = 0; kill < 3; kill += 1) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      setup.platform.kill('api-gateway', 0, 'SIGKILL');
    }
    const answers = await asked;
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: 200 });
    for (const { first, again } of answers) if (first !== undefined) expect(first).toBe(again);
    await setup.allEnded();
    const rows = await setup.db.query<{ n: number }[]>(
      'select count(distinct run_id)::int as n from idempotency_keys where key = any($1)',
      [keys],
    );
    expect(rows).toEqual([{ n: 200 }]);
    expect(await setup.findings()).toEqual(nothingFound);
  });
});
