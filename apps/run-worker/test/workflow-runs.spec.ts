import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { grantCredits, ledgerFaults } from '@lensforge/credits';
import type { Model } from '@lensforge/runs';
import { aPricedModel } from '@lensforge/runs/testing';
import type { NodeShop } from './a-node-shop.js';
import { aNodeShop, step } from './a-node-shop.js';

let shop: NodeShop;

beforeAll(async () => {
  shop = await aNodeShop();
});
afterAll(() => shop.close());

describe('a run of a workflow', () => {
  it('without nodes ends at once, without outputs', async () => {
    const run = await shop.run({ nodes: [], edges: [] });
    expect(run).toMatchObject({ status: 'succeeded', artifacts: [] });
    expect((await shop.events(run.id)).map(({ eventType }) => eventType)).toEqual([
      'run.queued',
      'run.started',
      'run.succeeded',
    ]);
  });

  it('goes from node to node and ends with the outputs of the last ones', async () => {
    const run = await shop.run(
      {
        nodes: [
          step('a', 'inputs.start + 1'),
          step('b', 'nodes.a.output * 2'),
          step('c', 'input.from_a + nodes.b.output'),
        ],
        edges: [
          { from: 'a', to: 'b' },
          { from: 'b', to: 'c' },
          { from: 'a', to: 'c', input: 'from_a' },
        ],
      },
      { inputs: { start: 1 } },
    );
    expect(run).toMatchObject({ status: 'succeeded', output: { c: 6 }, creditCost: 0 });
    expect(await shop.statuses(run.id)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded' });
    await shop.events(run.id);
  });

  it('takes the edges whose conditions hold, and skips what no way leads to', async () => {
    const run = await shop.run({
      nodes: [
        step('a', '5'),
        step('big', "'big'"),
        step('small', "'small'"),
        step('after', "'x'"),
        step('join', "'end'"),
      ],
      edges: [
        { from: 'a', to: 'big', when: 'nodes.a.output > 3' },
        { from: 'a', to: 'small', when: 'nodes.a.output <= 3' },
        { from: 'small', to: 'after' },
        { from: 'big', to: 'join' },
        { from: 'after', to: 'join' },
      ],
    });
    expect(run).toMatchObject({ status: 'succeeded', output: 'end' });
    expect(await shop.statuses(run.id)).toEqual({
      ...{ a: 'succeeded', big: 'succeeded', join: 'succeeded' },
      ...{ small: 'skipped', after: 'skipped' },
    });
  });

  it('fails with the first node that fails, and nothing goes on', async () => {
    const run = await shop.run({
      nodes: [step('bad', '1 / 0'), { id: 'slow', type: 'delay', settings: { seconds: 600 } }, step('after', "'x'")],
      edges: [{ from: 'bad', to: 'after' }],
    });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'EXPRESSION_FAILED' });
    expect(await shop.statuses(run.id)).toEqual({ bad: 'failed', slow: 'canceled' });
  });

  it('goes on behind a failed node that says so', async () => {
    const run = await shop.run({
      nodes: [step('bad', '1 / 0', { onError: 'continue' }), step('after', 'nodes.bad.error.code')],
      edges: [{ from: 'bad', to: 'after' }],
    });
    expect(run).toMatchObject({ status: 'succeeded', output: 'EXPRESSION_FAILED' });
  });

  it('goes through a list in its order, some items at once', async () => {
    const run = await shop.run(
      {
        nodes: [
          {
            id: 'each',
            type: 'map',
            settings: {
              items: 'inputs.list',
              concurrency: 2,
              graph: {
                nodes: [step('double', 'item * 2'), step('named', "string(index) + ':' + string(nodes.double.output)")],
                edges: [{ from: 'double', to: 'named' }],
                outputs: { text: 'nodes.named.output' },
              },
            },
          },
          step('join', "nodes.each.output.map(e, e.text).join(',')"),
        ],
        edges: [{ from: 'each', to: 'join' }],
      },
      { inputs: { list: [1, 2, 3, 4, 5] } },
    );
    expect(run).toMatchObject({ status: 'succeeded', output: '0:2,1:4,2:6,3:8,4:10' });
    await shop.events(run.id);
  });

  it('waits for time without a worker', async () => {
    const run = await shop.run({
      nodes: [{ id: 'pause', type: 'delay', settings: { seconds: 0.2 } }, step('after', "'done'")],
      edges: [{ from: 'pause', to: 'after' }],
    });
    expect(run).toMatchObject({ status: 'succeeded', output: 'done' });
  });

  it('asks a model with the text of a lens', async () => {
    const run = await shop.run(
      {
        nodes: [
          {
            id: 'ask',
            type: 'lens',
            settings: { lensId: shop.lensId, params: { Prompt: { $: "'Say ' + inputs.word" } } },
          },
        ],
        edges: [],
      },
      { inputs: { word: 'hello' } },
    );
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(run.output).toContain('hello');
  });
});

describe('the money of a workflow', () => {
  const priced = async (credits: number): Promise<{ model: Model; balance: () => Promise<object> }> => {
    const model = await aPricedModel(shop.ctx);
    const { accountId } = shop.ctx.actor;
    await grantCredits(shop.ctx, { accountId, amount: credits, note: 'for a spec' });
    const balance = async () =>
      (
        await shop.source.query<object[]>(
          'select available::int, held::int from credit_accounts where account_id = $1',
          [accountId],
        )
      )[0] ?? {};
    return { model, balance };
  };
  const asks = (count: number): object => ({
    nodes: Array.from({ length: count }, (_, n) => ({
      ...{ id: `ask${n}`, type: 'lens', settings: { lensId: shop.lensId, params: { Prompt: 'abcd' } } },
    })),
    edges: Array.from({ length: count - 1 }, (_, n) => ({ from: `ask${n}`, to: `ask${n + 1}` })),
  });

  it('is held for each node before it starts, and charged as it was used', async () => {
    const { model, balance } = await priced(10_000);
    const run = await shop.run(asks(3), { modelOverride: model.key });
    expect(run).toMatchObject({ status: 'succeeded', billingStatus: 'charged' });
    const [sums] = await shop.source.query<{ spent: number; calls: number; captured: number }[]>(
      `select spent_credits::int as spent, model_calls as calls,
              (select sum(amount)::int from credit_entries where run_id = $1 and kind = 'capture') as captured
         from runs where id = $1`,
      [run.id],
    );
    expect(sums).toEqual({ spent: run.creditCost, calls: 3, captured: run.creditCost });
    expect(await balance()).toEqual({ available: 10_000 - Number(run.creditCost), held: 0 });
    expect(await ledgerFaults(shop.source.manager)).toEqual([]);
  });

  it('ends the run cleanly when its budget is used up', async () => {
    const { model, balance } = await priced(10_000);
    const before = await balance();
    const run = await shop.run(asks(5), { modelOverride: model.key, budgetCredits: 110 });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'BUDGET_EXCEEDED' });
    expect(run.creditCost).toBeLessThanOrEqual(110);
    expect(await balance()).toMatchObject({ held: 0 });
    expect(await balance()).not.toEqual(before);
    expect(await ledgerFaults(shop.source.manager)).toEqual([]);
  });
});
