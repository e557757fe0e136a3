import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { knownServices } from '@lensforge/dev';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, atRate, countBy } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({
    services: knownServices('api-gateway', 'run-worker'),
    replicas: { 'api-gateway': 2 },
    // The balancer must notice in time on a machine that is busy with other tests, too.
    environment: { LENSFORGE_LEAVE_MS: '4000' },
  });
});
afterAll(() => setup.close());

/** A load balancer that sends requests to the first gateway until its /ready refuses. */
function balancer(): { gateway: () => number; close(): void } {
  let gateway = 0;
  const timer = setInterval(() => {
    setup.call('GET', '/ready').then(
      ({ status }) => (gateway = status === 200 ? 0 : 1),
      () => (gateway = 1),
    );
  }, 100);
  return { gateway: () => gateway, close: () => clearInterval(timer) };
}

interface Followed {
  ids: number[];
  /** The gateways that the stream was opened at. */
  gateways: number[];
}

async function follow(runId: string, gateway: () => number): Promise<Followed> {
  const followed: Followed = { ids: [], gateways: [] };
  const { ids, gateways } = followed;
  for (;;) {
    const lastEventId = ids.at(-1);
    const at = gateway();
    gateways.push(at);
    const stream = setup.follow(runId, {
      gateway: at,
      ...(lastEventId !== undefined && { lastEventId: `${lastEventId}` }),
    });
    for await (const { id, event } of stream) {
      ids.push(Number(id));
      if (event === 'done') return followed;
    }
    const [, retryMs = 0] = /retry: (\d+)\n\n$/.exec(stream.text) ?? [];
    await pause(Number(retryMs));
  }
}

describe('a gateway that stops', () => {
  it('hands its streams over and ends without waiting for them, and no request is lost', async () => {
    const { gateway, close } = balancer();
    const script = { pieces: 150, pieceDelayMs: 200 };
    const runs = await Promise.all(Array.from({ length: 20 }, () => setup.accepted({ script })));
    const streams = runs.map((runId) => follow(runId, gateway));
    const load = atRate(20, () => setup.execute({ gateway: gateway() }));
    await until(async () => (await setup.statusOf(String(runs.at(-1)))) === 'running');

    await setup.platform.hold('api-gateway', 0);
    const statuses = await Promise.all(runs.map((runId) => setup.statusOf(runId, 1)));
    expect(countBy(statuses)).toEqual({ running: 20 });
    await pause(500);

    const answers = await load.stop();
    close();
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: answers.length });
    const followed = await Promise.all(streams);
    for (const { ids, gateways } of followed) {
      expect(ids).toEqual(ids.map((_, index) => index + 1));
      expect(gateways).toEqual([0, 1]);
    }
    await setup.platform.resume('api-gateway', 0);
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
  });
});
