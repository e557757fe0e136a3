import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { until } from '@lensforge/testing';
import type { Gateway } from './gateway.js';
import { aGateway, framesOf } from './gateway.js';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await aGateway({ LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000' });
});
afterAll(() => gateway.stop());

async function accepted(more: object = {}): Promise<string> {
  const answer = await gateway.call('POST', `/v1/lenses/${gateway.lensId}/execute`, {
    body: { params: { Name: 'Ada' }, ...more },
  });
  return String(answer.body.data?.['runId']);
}
const cancel = (runId: string, token?: string) =>
  gateway.call('POST', `/v1/runs/${runId}/cancel`, token === undefined ? {} : { token });
const statusOf = async (runId: string) => (await gateway.call('GET', `/v1/runs/${runId}`)).body.data?.['status'];

describe('POST /v1/runs/{runId}/cancel', () => {
  it('202: ends a queued run at once, tells its readers, and says the same again', async () => {
    const runId = await accepted();
    const reading = framesOf(gateway.follow(runId), ({ event }) => event === 'done');
    const answer = await cancel(runId);
    expect([answer.status, answer.body.data]).toEqual([202, { runId, status: 'canceled' }]);
    expect(await statusOf(runId)).toBe('canceled');
    expect((await reading).map(({ event }) => event)).toEqual(['run.queued', 'run.canceled', 'done']);
    expect((await cancel(runId)).body.data).toEqual({ runId, status: 'canceled' });
  });

  it('202: the next that waited for it has its place at once, without a worker', async () => {
    const [first, next] = [await accepted({ concurrencyKey: 'one' }), await accepted({ concurrencyKey: 'one' })];
    const hasPlace = `select admitted_at is not null as "hasPlace" from runs where id = $1`;
    expect(await gateway.ctx.db.query(hasPlace, [next])).toEqual([{ hasPlace: false }]);
    await cancel(first);
    await until(async () => (await gateway.ctx.db.query<[{ hasPlace: boolean }]>(hasPlace, [next]))[0].hasPlace);
  });

  it('202: asks for the end of a running one, which goes on until its worker hears', async () => {
    const runId = await accepted();
    await gateway.worker.claim(runId);
    const answer = await cancel(runId);
    expect([answer.status, answer.body.data]).toEqual([202, { runId, status: 'running' }]);
    const rows = await gateway.ctx.db.query<{ at: Date | null }[]>(
      'select cancel_requested_at as at from runs where id = $1',
      [runId],
    );
    expect(rows[0]?.at).toBeInstanceOf(Date);
  });

  it('409: a run that has ended otherwise', async () => {
    const runId = await accepted();
    await gateway.worker.succeed(await gateway.worker.claim(runId));
    const { status, body } = await cancel(runId);
    expect([status, body.error?.code]).toEqual([409, 'conflict']);
    expect(await statusOf(runId)).toBe('succeeded');
  });

  it("404: no run, and somebody else's, which goes on", async () => {
    const runId = await accepted();
    const { id } = await anAccount(gateway.ctx);
    const { value: stranger } = await aToken(gateway.ctx, { accountId: id });
    expect((await cancel(newId())).status).toBe(404);
    expect((await cancel(runId, stranger)).status).toBe(404);
    expect(await statusOf(runId)).toBe('queued');
  });

  it('401 and 403: no token, no scope', async () => {
    const { value: token } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['threads:write'] });
    expect((await cancel(newId(), '')).status).toBe(401);
    expect((await cancel(newId(), token)).status).toBe(403);
  });
});
