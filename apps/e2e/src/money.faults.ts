import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { createAccount, issueToken } from '@lensforge/identity';
import { grantCredits } from '@lensforge/credits';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, withConcurrency } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({ replicas: { 'api-gateway': 2 } });
});
afterAll(() => setup.close());

describe('money', () => {
  const aWallet = async (amount: number) => {
    const handle = `wallet-${newId()}`;
    const { id: accountId } = await createAccount(setup.ctx, { kind: 'person', handle, displayName: 'Wallet' });
    const { value: token } = await issueToken(setup.ctx, {
      kind: 'developer',
      accountId,
      userId: null,
      label: handle,
      scopes: ['lenses:read', 'tokens:read'],
      days: 1,
    });
    await grantCredits(setup.ctx, { accountId, amount });
    const credits = async () => {
      const { body } = await setup.call('GET', '/v1/credits?limit=100', { token });
      return body.data as {
        available: number;
        held: number;
        entries: { kind: string; amount: number; runId: string }[];
      };
    };
    return { accountId, token, credits };
  };
  const runOf = (runId: string, token: string) =>
    setup.call('GET', `/v1/runs/${runId}`, { token }).then(({ body }) => body.data ?? {});

  it('is settled for each way in which a run ends, with ledger entries', async () => {
    const { token, credits } = await aWallet(10_000);
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 60 });
    const scripts = {
      succeeded: { pieces: 20 },
      failed: { fail: 'the model is tired' },
      'failed half-way': { pieces: 5, pieceDelayMs: 100, fail: 'the model is tired' },
      canceled: { pieces: 500, pieceDelayMs: 100 },
      timed_out: { hang: true },
    };
    const runs = new Map<string, string>();
    for (const [end, script] of Object.entries(scripts)) {
      const params = { Name: 'Ada', Script: `\n@offline ${JSON.stringify(script)}\n` };
      const order = { params, modelOverride: model.key, ...(end === 'timed_out' && { timeoutSeconds: 5 }) };
      const { status, body } = await setup.execute({ body: order, token });
      expect(status).toBe(202);
      runs.set(end, String(body.data?.['runId']));
    }
    const canceled = runs.get('canceled') ?? '';
    await until(async () => (await runOf(canceled, token))['status'] === 'running');
    expect(await runOf(canceled, token)).toMatchObject({ billingStatus: 'reserved', creditCost: null });
    await setup.call('POST', `/v1/runs/${canceled}/cancel`, { token });
    await setup.allEnded();

    const wallet = await credits();
    const story = (runId: string) => {
      const own = wallet.entries.filter((entry) => entry.runId === runId).toReversed();
      const held = own[0]?.amount ?? 0;
      const rest = own.slice(1).reduce((sum, { amount }) => sum + amount, 0);
      return { kinds: own.map(({ kind }) => kind).join(' '), isWhole: held > 0 && held === rest };
    };
    let spent = 0;
    for (const [end, runId] of runs) {
      const run = await runOf(runId, token);
      expect(run['status']).toBe(end.split(' ')[0]);
      const charged = end === 'succeeded';
      expect({ end, ...run }).toMatchObject({ end, billingStatus: charged ? 'charged' : 'released' });
      if (charged) expect(run['creditCost']).toBeGreaterThan(0);
      else expect(run['creditCost'] ?? 0).toBe(0);
      expect({ end, ...story(runId) }).toEqual({
        end,
        kinds: charged ? 'hold capture release' : 'hold release',
        isWhole: true,
      });
      spent += Number(run['creditCost'] ?? 0);
    }
    expect(wallet).toMatchObject({ available: 10_000 - spent, held: 0 });
  });

  it('is held, charged and returned exactly over two gateways while workers are killed, and no run is charged twice', async () => {
    const model = await aPricedModel(setup.ctx, { perThousand: 1000, maxOutputTokens: 60 });
    const params = { Name: 'Ada', Script: '\n@offline {"pieces":3,"delayMs":4000}\n' };
    const slow = { params, modelOverride: model.key };
    const rich = await aWallet(100_000);
    await setup.accepted({ body: slow, token: rich.token });
    const { held: hold } = await rich.credits();
    const { accountId, token, credits } = await aWallet(hold * 10);
    await setup.platform.hold('run-worker');
    const answers = await withConcurrency(200, 40, (n) => setup.execute({ body: slow, token, gateway: n % 2 }));
    expect(countBy(answers.map(({ status, body: { error } }) => error?.code ?? status))).toEqual({
      '202': 10,
      insufficient_credits: 190,
    });
    expect(await credits()).toMatchObject({ available: 0, held: hold * 10 });
    await setup.platform.resume('run-worker');
    for (let kill = 0; kill < 3; kill += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      setup.platform.kill('run-worker', 0, 'SIGKILL');
    }
    await setup.allEnded();
    expect(await setup.findings()).toEqual(nothingFound);
    const wallet = await credits();
    const counts = countBy(wallet.entries.map(({ kind }) => kind));
    const [sums] = await setup.db.query<[{ cost: number; charged: number }]>(
      `select coalesce(sum(credit_cost), 0)::int as cost, count(*) filter (where billing_status = 'charged')::int as charged
         from runs where account_id = $1`,
      [accountId],
    );
    expect(wallet).toMatchObject({ available: hold * 10 - sums.cost, held: 0 });
    expect({ hold: counts['hold'], capture: counts['capture'] ?? 0 }).toEqual({ hold: 10, capture: sums.charged });
  });
});
