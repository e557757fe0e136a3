import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { knownServices } from '@lensforge/dev';
import { createAccount, issueToken } from '@lensforge/identity';
import { grantCredits } from '@lensforge/credits';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, withConcurrency } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({ services: knownServices('api-gateway', 'run-worker') });
});
afterAll(() => setup.close());

const cancel = (runId: string) => setup.call('POST', `/v1/runs/${runId}/cancel`);
const statuses = (runIds: readonly string[]) =>
  withConcurrency(runIds.length, 10, (n) => setup.statusOf(runIds[n] ?? ''));

describe('cancel', () => {
  it('ends queued runs at once', async () => {
    await setup.platform.hold('run-worker');
    const runIds = await withConcurrency(60, 10, () => setup.accepted());
    const answers = await withConcurrency(runIds.length, 10, (n) => cancel(runIds[n] ?? ''));
    expect(countBy(answers.map(({ body }) => String(body.data?.['status'])))).toEqual({ canceled: 60 });
    await setup.platform.resume('run-worker');
    await setup.allEnded();
    expect(countBy(await statuses(runIds))).toEqual({ canceled: 60 });
  });

  it('stops running runs within seconds; each run has exactly one end', async () => {
    const runIds = await withConcurrency(120, 20, async (n) => {
      const runId = await setup.accepted({ script: { pieces: 3, pieceDelayMs: n % 2 ? 60_000 : 30 } });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 120));
      await cancel(runId);
      return runId;
    });
    await setup.allEnded();
    const ends = await statuses(runIds);
    expect(ends.filter((status) => !['canceled', 'succeeded'].includes(status))).toEqual([]);
    expect(ends.filter((_, n) => n % 2 === 1)).toEqual(Array.from({ length: 60 }, () => 'canceled'));
    expect(await setup.findings()).toEqual(nothingFound);
  });

  it('ends runs of a frozen worker', async () => {
    const runId = await setup.accepted({ script: { delayMs: 60_000 } });
    await until(async () => (await setup.statusOf(runId)) === 'running');
    setup.platform.kill('run-worker', 0, 'SIGSTOP');
    await cancel(runId);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    setup.platform.kill('run-worker', 0, 'SIGCONT');
    await setup.allEnded();
    expect(await setup.statusOf(runId)).toBe('canceled');
  });
});

describe('money', () => {
  it('is held, charged and returned exactly, and the balance is never negative', async () => {
    const account = await createAccount(setup.ctx, { kind: 'person', handle: `poor-${newId()}`, displayName: 'Poor' });
    const { value: token } = await issueToken(setup.ctx, {
      kind: 'developer',
      accountId: account.id,
      userId: null,
      label: 'poor',
      scopes: ['lenses:read'],
      days: 1,
    });
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 60 });
    const body = { params: { Name: 'Ada' }, modelOverride: model.key };
    await grantCredits(setup.ctx, { accountId: account.id, amount: 1000 });
    const answers = await withConcurrency(200, 40, () => setup.execute({ body, token }));
    const counts = countBy(answers.map(({ status, body: { error } }) => error?.code ?? status));
    expect(Object.keys(counts).sort()).toEqual(['202', 'insufficient_credits']);
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
    const [wallet] = await setup.db.query<{ available: string; held: string }[]>(
      'select available, held from credit_accounts where account_id = $1',
      [account.id],
    );
    const [spent] = await setup.db.query<{ cost: string }[]>(
      'select sum(credit_cost) as cost from runs where account_id = $1',
      [account.id],
    );
    expect(wallet?.held).toBe('0');
    expect(Number(wallet?.available) + Number(spent?.cost)).toBe(1000);
    expect(Number(spent?.cost)).toBeGreaterThan(0);
  });
});
