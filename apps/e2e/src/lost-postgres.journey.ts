import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, atRate } from './test-platform.js';

/** No request is refused before it has waited this long for the database, in milliseconds. */
const patience = 5000;

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({ fast: false });
});
afterAll(() => setup.close());

describe('PostgreSQL', () => {
  it('can be killed repeatedly under load: requests wait up to 5 s, no process ends, no run is lost', async () => {
    const services = (): unknown => {
      const { postgres: _postgres, redis: _redis, ...rest } = setup.platform.pids;
      return rest;
    };
    const before = services();
    const load = atRate(20, () => setup.execute({ script: { pieces: 2, pieceDelayMs: 40 } }));
    for (let restart = 0; restart < 3; restart += 1) {
      await pause(1500);
      const pid = setup.pidOf('postgres');
      setup.platform.kill('postgres', 0, 'SIGQUIT');
      await until(() => ![undefined, pid].includes(setup.pidOf('postgres')));
      await until(() => setup.db.query('select 1'));
    }
    await pause(1500);
    const answers = await load.stop();
    const refused = answers.filter(({ status }) => status !== 202);
    for (const { ms, status, body, headers } of refused) {
      expect([status, body.error?.code]).toEqual([503, 'service_unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      // A busy machine may take longer to restart the server than requests wait.
      expect(ms).toBeGreaterThanOrEqual(patience);
    }
    expect(answers.length).toBeGreaterThan(refused.length);
    await setup.allEnded();
    expect(services()).toEqual(before);
    expect(await setup.findings()).toEqual(nothingFound);
  });

  it('can hang while /health reports it in time, requests are refused with a reason, and services recover', async () => {
    const family = familyOf(setup.pidOf('postgres') ?? 0);
    for (const pid of family) process.kill(pid, 'SIGSTOP');
    try {
      const health = await setup.call('GET', '/health');
      expect(health.status).toBe(503);
      expect(health.body).toEqual({
        status: 'degraded',
        db: false,
        uptime_s: expect.any(Number),
        version: expect.anything(),
        checked_at: expect.any(String),
        reason: expect.any(String),
      });
      expect((await setup.call('GET', '/live')).status).toBe(200);
      const load = atRate(10, () => setup.execute());
      await pause(8000);
      for (const { status, body, headers } of await load.stop()) {
        expect([status, body.error?.code]).toEqual([503, 'service_unavailable']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
    } finally {
      for (const pid of family) process.kill(pid, 'SIGCONT');
    }
    await until(async () => (await setup.call('GET', '/health')).status === 200);
    await setup.accepted();
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
  });
});

/** A process and its children, from the kernel. */
function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid);
  return [pid, ...children.map(Number)];
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined;
  }
}
