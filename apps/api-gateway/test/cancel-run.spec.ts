import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { until } from '@lensforge/testing';
import { type Gateway, aGateway, framesOf } from './gateway.js';

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
  it('answers 202: cancels a queued run at once, publishes the event and is idempotent', async () => {
    const runId = await accepted();
    const reading = framesOf(gateway.follow(runId), ({ event }) => event === 'done');
    const answer = await cancel(runId);
    expect([answer.status, answer.body.data]).toEqual([202, { runId, status: 'canceled' }]);
    expect(await statusOf(runId)).toBe('canceled');
    expect((await reading).map(({ event }) => event)).toEqual(['run.queued', 'run.canceled', 'done']);
    expect((await cancel(runId)).body.data).toEqual({ runId, status: 'canceled' });
  });

  it('answers 202: gives the slot to the next waiting run without a worker', async () => {
    const [first, next] = [await accepted({ concurrencyKey: 'one' }), await accepted({ concurrencyKey: 'one' })];
    const hasPlace = `select admitted_at is not null as "hasPlace" from runs where id = $1`;
    expect(await gateway.ctx.db.query(hasPlace, [next])).toEqual([{ hasPlace: false }]);
    await cancel(first);
    await until(async () => (await gateway.ctx.db.query<[{ hasPlace: boolean }]>(hasPlace, [next]))[0].hasPlace);
  });

  it('answers 202: asks the worker of a running run to stop', async () => {
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

  it('answers 409 to a run with another end status', async () => {
    const runId = await accepted();
    await gateway.worker.succeed(await gateway.worker.claim(runId));
    const { status, body } = await cancel(runId);
    expect([status, body.error?.code]).toEqual([409, 'conflict']);
    expect(await statusOf(runId)).toBe('succeeded');
  });

  it('answers 404 to an unknown run and to one of another account', async () => {
    const runId = await accepted();
    const { id } = await anAccount(gateway.ctx);
    const { value: stranger } = await aToken(gateway.ctx, { accountId: id });
    expect((await cancel(newId())).status).toBe(404);
    expect((await cancel(runId, stranger)).status).toBe(404);
    expect(await statusOf(runId)).toBe('queued');
  });

  it('answers 401 without a token and 403 without the scope', async () => {
    const { value: token } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['threads:write'] });
    expect((await cancel(newId(), '')).status).toBe(401);
    expect((await cancel(newId(), token)).status).toBe(403);
  });
});
