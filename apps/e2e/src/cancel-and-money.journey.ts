import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { createAccount, issueToken } from '@lensforge/identity';
import { grantCredits } from '@lensforge/credits';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, inTurns } from './test-platform.js';

let stage: TestPlatform;
beforeAll(async () => {
  stage = await TestPlatform.open();
}, 240_000);
afterAll(() => stage.close(), 60_000);

const cancel = (runId: string) => stage.call('POST', `/v1/runs/${runId}/cancel`);
const statuses = (runIds: readonly string[]) => inTurns(runIds.length, 10, (n) => stage.statusOf(runIds[n] ?? ''));

describe('cancel', () => {
  it('ends queued runs at once', async () => {
    await stage.platform.hold('run-worker');
    const runIds = await inTurns(60, 10, () => stage.accepted());
    const answers = await inTurns(runIds.length, 10, (n) => cancel(runIds[n] ?? ''));
    expect(countBy(answers.map(({ body }) => String(body.data?.['status'])))).toEqual({ canceled: 60 });
    await stage.platform.resume('run-worker');
    await stage.allEnded();
    expect(countBy(await statuses(runIds))).toEqual({ canceled: 60 });
  }, 180_000);

  it('stops running ones within seconds, and has exactly one winner against their end', async () => {
    const runIds = await inTurns(120, 20, async (n) => {
      const runId = await stage.accepted({ script: { pieces: 3, pieceDelayMs: n % 2 ? 60_000 : 30 } });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 120));
      await cancel(runId);
      return runId;
    });
    await stage.allEnded(15_000);
    const ends = await statuses(runIds);
    expect(ends.filter((status) => !['canceled', 'succeeded'].includes(status))).toEqual([]);
    expect(ends.filter((_, n) => n % 2 === 1)).toEqual(Array.from({ length: 60 }, () => 'canceled'));
    expect(await stage.findings()).toEqual(nothingFound);
  }, 240_000);

  it('is carried out without a worker that sleeps', async () => {
    const runId = await stage.accepted({ script: { delayMs: 60_000 } });
    await until(async () => (await stage.statusOf(runId)) === 'running');
    stage.platform.kill('run-worker', 0, 'SIGSTOP');
    await cancel(runId);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    stage.platform.kill('run-worker', 0, 'SIGCONT');
    await until(async () => (await stage.statusOf(runId)) === 'canceled');
  }, 180_000);
});

describe('money', () => {
  it('is held, charged and given back to the credit, and never falls below nothing', async () => {
    const account = await createAccount(stage.ctx, { kind: 'person', handle: `poor-${newId()}`, displayName: 'Poor' });
    const { value: token } = await issueToken(stage.ctx, {
      kind: 'developer',
      accountId: account.id,
      userId: null,
      label: 'poor',
      scopes: ['lenses:read'],
      days: 1,
    });
    const model = await aPricedModel(stage.ctx, { perThousand: 1000, maxOutputTokens: 60 });
    const body = { params: { Name: 'Ada' }, modelOverride: model.key };
    await grantCredits(stage.ctx, { accountId: account.id, amount: 1000 });
    const answers = await inTurns(200, 40, () => stage.execute({ body, token }));
    const counts = countBy(answers.map(({ status, body: { error } }) => error?.code ?? status));
    expect(Object.keys(counts).sort()).toEqual(['202', 'insufficient_credits']);
    await stage.allEnded();
    expect(await stage.findings()).toEqual(nothingFound);
    const [wallet] = await stage.db.query<{ available: string; held: string }[]>(
      'select available, held from credit_accounts where account_id = $1',
      [account.id],
    );
    const [spent] = await stage.db.query<{ cost: string }[]>(
      'select sum(credit_cost) as cost from runs where account_id = $1',
      [account.id],
    );
    expect(wallet?.held).toBe('0');
    expect(Number(wallet?.available) + Number(spent?.cost)).toBe(1000);
    expect(Number(spent?.cost)).toBeGreaterThan(0);
  }, 240_000);
});
