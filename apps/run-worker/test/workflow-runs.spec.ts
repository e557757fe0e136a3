import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ByokOpener, createByokKey } from '@lensforge/byok';
import { aKeyPair } from '@lensforge/byok/testing';
import { type Context, newId } from '@lensforge/core';
import { grantCredits, ledgerFaults, readBalance, readLimitUse } from '@lensforge/credits';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { setSponsorship, updateLens } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import type { Model } from '@lensforge/models';
import { type WorkflowRunOrder, cancelRun, listNodeResults, readWorkflowRun, reserveForNode } from '@lensforge/runs';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { saveGraph, setWorkflowLabel, updateWorkflow } from '@lensforge/workflows';
import { aWorkflow } from '@lensforge/workflows/testing';
import { ByokLeases } from '../src/byok-leases.js';
import type { Provider } from '../src/providers/provider.js';
import { providersByKey } from '../src/providers/providers.js';
import { type NodeEngineSetup, aNodeEngineSetup, step } from './node-engine-setup.js';

let setup: NodeEngineSetup;

beforeAll(async () => {
  setup = await aNodeEngineSetup();
});
afterAll(() => setup.close());

describe('a workflow run', () => {
  it('ends at once without outputs when it has no nodes', async () => {
    const run = await setup.run({ nodes: [], edges: [] });
    expect(run).toMatchObject({ status: 'succeeded', artifacts: [] });
    expect((await setup.events(run.id)).map(({ eventType }) => eventType)).toEqual([
      'run.queued',
      'run.started',
      'run.succeeded',
    ]);
  });

  it('executes node after node and has the outputs of the last ones', async () => {
    const run = await setup.run(
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
    expect(await setup.statuses(run.id)).toEqual({ a: 'succeeded', b: 'succeeded', c: 'succeeded' });
    await setup.events(run.id);
  });

  it('creates one event of its end, with outputs and cost or with its error', async () => {
    await setup.source.query(
      `insert into webhook_endpoints (id, account_id, url, events, secret)
       values ($1, $2, 'https://receiver.example/', '{run.completed,run.failed}', '')`,
      [newId(), setup.ctx.actor.accountId],
    );
    const tagged = { tags: ['nightly'], metadata: { order: 7 } };
    const good = await setup.run({ nodes: [step('a', '20 + 1')], edges: [] }, tagged);
    const bad = await setup.run({ nodes: [step('a', 'inputs.nothing.here')], edges: [] });
    const rows = await setup.source.query<{ payload: object }[]>(
      `select payload from outbox where job = 'platform-event.fan-out' order by payload ->> 'type'`,
    );
    const { id: artifactId } = good.artifacts[0] ?? {};
    const outputs = [expect.objectContaining({ artifactId, contentJson: { a: 21 }, isPrimaryOutput: true })];
    const error = { code: expect.any(String), message: expect.any(String) };
    const of = ({ id }: typeof good) => ({ runId: id, workflowId: expect.any(String) });
    const tokens = { tokenInput: 0, tokenOutput: 0, tokenDetails: null };
    expect(rows.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({
        type: 'run.completed',
        data: { ...of(good), status: 'succeeded', outputs, cost: 0, ...tokens, lensId: null, ...tagged },
      }),
      expect.objectContaining({
        type: 'run.failed',
        data: { ...of(bad), error, lensId: null, tags: [], metadata: null },
      }),
    ]);
    await setup.source.query('delete from webhook_endpoints');
  });

  it('keeps the outputs that a failed run had, none of them as its primary output', async () => {
    const nodes = [step('a', "'kept'"), step('b', 'nodes.a.output + "!"'), step('bad', 'fail("no")')];
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'bad' },
    ];
    const outputs = {
      first: 'nodes.a.output',
      last: 'nodes.bad.output',
      both: 'nodes.a.output + nodes.bad.output',
      faulty: 'nodes.b.output.size.nothing',
      long: 'nodes.b.output + "?"',
    };
    const named = await setup.run({ nodes, edges, outputs });
    expect(named).toMatchObject({
      status: 'failed',
      errorCode: 'ASSERTION_FAILED',
      artifacts: [{ artifactKind: 'json', contentJson: { first: 'kept', long: 'kept!?' }, isPrimaryOutput: false }],
    });
    expect((await setup.events(named.id)).map(({ eventType }) => eventType).slice(-2)).toEqual([
      'artifact.created',
      'run.failed',
    ]);
    const lost = await setup.run({ nodes, edges });
    expect(lost).toMatchObject({ status: 'failed', artifacts: [] });
  });

  it('follows edges whose conditions hold, and skips unreachable nodes', async () => {
    const run = await setup.run({
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
    expect(await setup.statuses(run.id)).toEqual({
      a: 'succeeded',
      big: 'succeeded',
      join: 'succeeded',
      small: 'skipped',
      after: 'skipped',
    });
  });

  it('fails with its first failed node and cancels the others', async () => {
    const run = await setup.run({
      nodes: [step('bad', '1 / 0'), { id: 'slow', type: 'delay', settings: { seconds: 600 } }, step('after', "'x'")],
      edges: [{ from: 'bad', to: 'after' }],
    });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'EXPRESSION_FAILED' });
    expect(await setup.statuses(run.id)).toEqual({ bad: 'failed', slow: 'canceled' });
  });

  it('continues after a failed node with onError continue', async () => {
    const run = await setup.run({
      nodes: [step('bad', '1 / 0', { onError: 'continue' }), step('after', 'nodes.bad.error.code')],
      edges: [{ from: 'bad', to: 'after' }],
    });
    expect(run).toMatchObject({ status: 'succeeded', output: 'EXPRESSION_FAILED' });
  });

  it('maps a list in its order, with some items at once', async () => {
    const run = await setup.run(
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
    await setup.events(run.id);
  });

  it('waits for a delay without a worker', async () => {
    const run = await setup.run({
      nodes: [{ id: 'pause', type: 'delay', settings: { seconds: 0.2 } }, step('after', "'done'")],
      edges: [{ from: 'pause', to: 'after' }],
    });
    expect(run).toMatchObject({ status: 'succeeded', output: 'done' });
  });

  it('ends at its deadline with all its nodes when no worker holds one, and only once', async () => {
    const runId = await setup.accept({
      nodes: [step('begin', '1'), { id: 'pause', type: 'delay', settings: { seconds: 600 } }, step('after', '2')],
      edges: [
        { from: 'begin', to: 'pause' },
        { from: 'pause', to: 'after' },
      ],
    });
    await until(async () => (await setup.statuses(runId))['pause'] === 'waiting');
    await setup.ctx.db.query(`update runs set deadline_at = now() - interval '1 ms' where id = $1`, [runId]);
    await setup.reconcile();
    expect(await setup.ended(runId)).toMatchObject({ status: 'timed_out' });
    expect(await setup.statuses(runId)).toMatchObject({ begin: 'succeeded', pause: 'canceled' });
    await setup.reconcile();
    const types = (await setup.events(runId)).map(({ eventType }) => eventType);
    expect(types.filter((type) => type === 'run.timed_out')).toHaveLength(1);
    expect(types.at(-1)).toBe('run.timed_out');
  });

  it('requests an answer with the template of a lens', async () => {
    const run = await setup.run(
      {
        nodes: [
          {
            id: 'ask',
            type: 'lens',
            settings: { lensId: setup.lensId, params: { Prompt: { $: "'Say ' + inputs.word" } } },
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

describe('settings that are expressions', () => {
  const askWith = (settings: object): object => ({
    nodes: [{ id: 'ask', type: 'lens', settings: { lensId: setup.lensId, params: { Prompt: 'Hello' }, ...settings } }],
    edges: [],
  });

  it('choose the version and the model of a lens', async () => {
    const { id: lensId } = await aLens(setup.ctx, { templateBody: 'first [[Prompt]]' });
    await updateLens(setup.ctx, { lensId, templateBody: 'second [[Prompt]]' });
    const settings = { lensId, version: { $: 'inputs.version' }, model: { $: 'inputs.model' } };
    const run = (inputs: object) => setup.run(askWith(settings), { inputs: { version: null, model: null, ...inputs } });
    expect((await run({ version: '1.0.0' })).output).toContain('first Hello');
    expect((await run({})).output).toContain('second Hello');
    expect(await run({ version: '9.9.9' })).toMatchObject({ status: 'failed', errorCode: 'NOT_FOUND' });
    expect(await run({ model: 'none/such' })).toMatchObject({ status: 'failed', errorCode: 'BAD_INPUT' });
    expect(await run({ version: 7 })).toMatchObject({
      status: 'failed',
      errorCode: 'BAD_INPUT',
      errorMessage: expect.stringContaining('settings.version'),
    });
  });

  it('choose the version of a workflow', async () => {
    const inner = await aWorkflow(setup.ctx, { graph: { nodes: [step('a', '1')], edges: [] } });
    await saveGraph(setup.ctx, { workflowId: inner.id, graph: { nodes: [step('a', '2')], edges: [] } });
    const settings = { workflowId: inner.id, version: { $: 'inputs.version' } };
    const graph = { nodes: [{ id: 'call', type: 'workflow', settings }], edges: [] };
    const run = async (version: number | string | null) => (await setup.run(graph, { inputs: { version } })).output;
    expect([await run(1), await run(null)]).toEqual([{ call: { a: 1 } }, { call: { a: 2 } }]);
    await setWorkflowLabel(setup.ctx, { workflowId: inner.id, label: 'production', version: '1' });
    expect([await run('production'), await run(null)]).toEqual([{ call: { a: 1 } }, { call: { a: 2 } }]);
    await updateWorkflow(setup.ctx, { workflowId: inner.id, defaultLabel: 'production' });
    expect(await run(null)).toEqual({ call: { a: 1 } });
    const named = (version: unknown) => ({
      nodes: [{ id: 'call', type: 'workflow', settings: { ...settings, version } }],
    });
    expect((await setup.run({ ...named('production'), edges: [] })).output).toEqual({ call: { a: 1 } });
    for (const version of ['', 'Not one', 0, 1.5, true]) {
      await expect(setup.run({ ...named(version), edges: [] })).rejects.toThrow('nodes[0].settings.version');
    }
  });

  it('are refused in settings that must be literal, and where they name no earlier node', async () => {
    const refused = (graph: object) => expect(setup.run(graph)).rejects;
    await refused(askWith({ lensId: { $: 'inputs.lens' } })).toThrow('nodes[0].settings.lensId');
    await refused(askWith({ version: { $: 'nodes.other.output' } })).toThrow('nodes[0].settings.version');
    await refused(askWith({ version: { $: 1 } })).toThrow('nodes[0].settings.version');
  });
});

describe('the funding of a workflow run', () => {
  let model: Model;
  let ctx: Context;
  beforeEach(async () => {
    model = await aPricedModel(setup.ctx);
    ctx = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    await grantCredits(ctx, { accountId: ctx.actor.accountId, amount: 10_000, note: 'for a spec' });
    ({ id: lensId } = await aLens(ctx, { templateBody: '[[Prompt]]' }));
  });
  afterEach(async () => expect(await ledgerFaults(setup.source.manager)).toEqual([]));

  let lensId: string;
  /** A node that reserves 101 credits and spends some of them. */
  const ask = (id: string, more: object = {}): object => ({
    id,
    type: 'lens',
    settings: { lensId, params: { Prompt: 'abcd' } },
    ...more,
  });
  const chain = (...nodes: object[]): object => ({
    nodes,
    edges: nodes.slice(1).map((to, n) => ({ from: idOf(nodes[n]), to: idOf(to) })),
  });
  const calls = (workflowId: string, more: object = {}): object => ({
    id: 'call',
    type: 'workflow',
    settings: { workflowId },
    ...more,
  });
  const inner = async (graph: object): Promise<string> => (await aWorkflow(ctx, { graph })).id;
  const paid = (graph: object, order: Partial<WorkflowRunOrder> = {}) =>
    setup.run(graph, { modelOverride: model.key, ...order }, ctx);
  const balance = async (): Promise<{ available: number; held: number }> => readBalance(ctx);
  const spent = async (): Promise<number> => 10_000 - (await balance()).available;
  const lastEvent = async (runId: string) => (await setup.events(runId)).at(-1);

  it('holds credits for each node before it starts and charges its usage', async () => {
    const run = await paid(chain(ask('a'), ask('b'), ask('c')));
    expect(run).toMatchObject({ status: 'succeeded', billingStatus: 'charged', creditCost: await spent() });
    expect(run.creditCost).toBeGreaterThan(3);
    expect(await balance()).toMatchObject({ held: 0 });
    const { creditCost, tokenInput, tokenOutput } = run;
    expect([tokenInput, Number(tokenOutput) > 0]).toEqual([3, true]);
    expect((await lastEvent(run.id))?.payload).toMatchObject({ creditCost, tokenInput, tokenOutput });
    const detail = await readWorkflowRun(ctx, run.id);
    expect(detail).toMatchObject({ spentCredits: creditCost, modelCalls: 3, tokensUsed: 3 + Number(tokenOutput) });
  });

  it('is none without a call to a model', async () => {
    const run = await paid(chain(step('a', '1')));
    expect(run).toMatchObject({ tokenInput: 0, tokenOutput: 0, creditCost: 0, billingStatus: 'none' });
  });

  it.each([
    ['one after the other', () => chain(ask('a'), ask('b'), ask('c'), ask('d'), ask('e'))],
    ['side by side', () => ({ nodes: 'abcdefgh'.split('').map((id) => ask(id)), edges: [] })],
    [
      'in the items of a map',
      () =>
        chain({
          id: 'each',
          type: 'map',
          onError: 'continue',
          settings: { items: '[1, 2, 3, 4, 5]', concurrency: 3, onItemError: 'continue', graph: chain(ask('a')) },
        }),
    ],
  ])('ends the run when its budget is used up by nodes %s', async (_, graph) => {
    const run = await paid(graph(), { budgetCredits: 150 });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'BUDGET_EXCEEDED', creditCost: await spent() });
    expect(run.creditCost).toBeLessThanOrEqual(150);
    expect(await balance()).toMatchObject({ held: 0 });
  });

  it('shares one budget with child runs, and ends them all, even with onError continue', async () => {
    const grandchild = await inner(chain(ask('a'), ask('b')));
    const child = await inner(chain(ask('a'), calls(grandchild, { onError: 'continue' }), ask('b')));
    const run = await paid(chain(ask('a'), calls(child, { onError: 'continue' }), ask('b')), { budgetCredits: 140 });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'BUDGET_EXCEEDED', creditCost: await spent() });
    expect(run.creditCost).toBeGreaterThan(1);
    expect(run.creditCost).toBeLessThanOrEqual(140);
    expect(await balance()).toMatchObject({ held: 0 });
  });

  it('includes the cost of child runs, which use its model', async () => {
    const child = await inner(chain(ask('a'), ask('b')));
    const run = await paid(chain(ask('a'), calls(child)), { budgetCredits: 1000 });
    expect(run).toMatchObject({ status: 'succeeded', creditCost: await spent(), tokenInput: 3 });
    expect(await readWorkflowRun(ctx, run.id)).toMatchObject({ modelCalls: 3, spentCredits: run.creditCost });
    const results = await listNodeResults(ctx, run.id);
    expect(results.reduce((sum, { costCredits }) => sum + costCredits, 0)).toBe(run.creditCost);
    const models = await setup.source.query<object[]>('select distinct model_id from runs where account_id = $1', [
      ctx.actor.accountId,
    ]);
    expect(models).toEqual([{ model_id: model.id }]);
  });

  it('includes the cost of child runs when it is canceled while they run', async () => {
    const slow = { id: 'slow', type: 'delay', settings: { seconds: 600 } };
    const grandchild = await inner(chain(ask('a'), slow));
    const child = await inner(chain(ask('a'), calls(grandchild)));
    const runId = await setup.accept(chain(ask('a'), calls(child)), { modelOverride: model.key }, ctx);
    await until(async () => (await waitingDelays(runId)) > 0);
    expect(await readWorkflowRun(ctx, runId)).toMatchObject({ modelCalls: 3, spentCredits: await spent() });
    await cancelRun(ctx, runId);
    const run = await setup.ended(runId);
    expect(run).toMatchObject({ status: 'canceled', creditCost: await spent(), tokenInput: 3 });
    expect(await readWorkflowRun(ctx, runId)).toMatchObject({ modelCalls: 3, spentCredits: run.creditCost });
    expect(await setup.statuses(runId)).toEqual({ a: 'succeeded', call: 'canceled' });
  });

  it('counts the tokens of each kind, also those of child runs that are canceled with it', async () => {
    const { key: modelOverride } = await aPricedModel(setup.ctx, { cachedPerThousand: 0 });
    const cached = (id: string): object =>
      ask(id, { settings: { lensId, params: { Prompt: '@offline {"cachedInput":2}\nab cd ef' } } });
    const each = { cachedInput: 2, cacheWrite: 0, reasoning: 0, creditsSaved: 2 };
    const times = (count: number) =>
      Object.fromEntries(Object.entries(each).map(([kind, tokens]) => [kind, count * tokens]));
    const child = await inner(chain(cached('a'), cached('b')));
    const run = await paid(chain(cached('a'), cached('b'), calls(child)), { modelOverride });
    expect(run).toMatchObject({ tokenInput: 12, tokenDetails: times(4), creditCost: await spent() });
    expect((await lastEvent(run.id))?.payload).toMatchObject({ tokenDetails: times(4) });
    const slow = { id: 'slow', type: 'delay', settings: { seconds: 600 } };
    const waiting = await inner(chain(cached('a'), slow));
    const runId = await setup.accept(chain(cached('a'), calls(waiting)), { modelOverride }, ctx);
    await until(async () => (await listNodeResults(ctx, runId)).some(({ status }) => status === 'waiting'));
    await until(async () => (await readWorkflowRun(ctx, runId)).modelCalls === 2);
    await cancelRun(ctx, runId);
    expect(await setup.ended(runId)).toMatchObject({ status: 'canceled', tokenDetails: times(2) });
  });

  /** The number of waiting delay nodes in runs two levels below this one. */
  const waitingDelays = async (runId: string): Promise<number> => {
    const [row] = await setup.source.query<{ count: number }[]>(
      `select count(*)::int as count from runs c join runs g on g.parent_run_id = c.id join node_results n on n.run_id = g.id
        where c.parent_run_id = $1 and n.type = 'delay' and n.status = 'waiting'`,
      [runId],
    );
    return row?.count ?? 0;
  };

  it('never exceeds the budget when nodes of several runs reserve at once', async () => {
    const hold = { id: 'hold', type: 'delay', settings: { seconds: 600 } };
    const child = await inner({ nodes: [hold], edges: [] });
    const order = { modelOverride: model.key, budgetCredits: 250 };
    const runId = await setup.accept({ nodes: [hold, calls(child)], edges: [] }, order, ctx);
    const runs = await until(async () => {
      const rows = await setup.source.query<{ id: string }[]>(
        `select run_id as id from node_results where node_key = 'hold' and status = 'waiting'
            and run_id in (select id from runs where id = $1 or parent_run_id = $1)`,
        [runId],
      );
      return rows.length === 2 && rows;
    });
    const nodes = runs.flatMap(({ id }) => Array.from({ length: 10 }, (_, n) => ({ runId: id, nodeKey: `n${n}` })));
    for (const node of nodes) {
      await setup.source.query(
        `insert into node_results (run_id, node_key, node_id, type, status, attempt, lease_until)
         values ($1, $2, $2, 'lens', 'running', 1, now() + interval '1 hour')`,
        [node.runId, node.nodeKey],
      );
    }
    const asked = await Promise.all(
      nodes.map((node) =>
        reserveForNode(
          ctx,
          { ...node, attempt: 1 },
          {
            amount: 60,
            payerAccountId: null,
            limits: [],
            terms: { tokenInput: 1, creditsPer1kInput: 1, creditsPer1kOutput: 1 },
          },
        ),
      ),
    );
    const kinds = asked.map(({ kind }) => kind).sort();
    expect(kinds).toEqual([...Array<string>(16).fill('over_budget'), ...Array<string>(4).fill('reserved')]);
    expect(await balance()).toMatchObject({ held: 240 });
    await setup.source.query(
      `delete from node_results where node_key like 'n_' and reserved_credits = 0 and run_id = any ($1)`,
      [runs.map(({ id }) => id)],
    );
    await cancelRun(ctx, runId);
    expect(await balance()).toMatchObject({ held: 0 });
  });

  it('counts against the credit limit of the token that started the run', async () => {
    const creditLimit = { id: newId(), credits: 120, period: 'total' as const };
    const weak = { ...ctx, actor: { ...ctx.actor, credential: { ...ctx.actor.credential, creditLimit } } };
    const child = await inner(chain(ask('a'), ask('b')));
    const run = await setup.run(chain(ask('a'), calls(child)), { modelOverride: model.key }, weak);
    expect(run).toMatchObject({ status: 'failed', errorCode: 'INSUFFICIENT_CREDITS' });
    expect(await spent()).toBeLessThanOrEqual(120);
    expect(await readLimitUse(ctx, creditLimit)).toEqual({ held: 0, spent: await spent() });
  });

  it('comes from the sponsor pool of each lens when it is sponsored', async () => {
    const owner = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    await grantCredits(owner, { accountId: owner.actor.accountId, amount: 1000, note: 'for a spec' });
    const { id: open } = await aLens(owner, { templateBody: '[[Prompt]]' });
    const caps = { maxCreditsPerRun: 200, maxCreditsPerCallerPerDay: 500 };
    await setSponsorship(owner, open, { enabled: true, credits: 500, period: 'total', ...caps });
    const order = { fundingSource: 'sponsored' as const };
    const settings = { lensId: open, params: { Prompt: 'abcd' } };
    const child = await inner(chain(ask('a', { settings })));
    const run = await paid(chain(ask('a', { settings }), calls(child)), order);
    expect(run).toMatchObject({ status: 'succeeded', billingStatus: 'charged' });
    expect([await spent(), (await readBalance(owner)).available]).toEqual([...[0, 1000 - Number(run.creditCost)]]);
    expect(await paid(chain(ask('a')), order)).toMatchObject({ status: 'failed', errorCode: 'BAD_INPUT' });
    const name = `${model.providerKey}/${model.key}`;
    for (const [limits, code] of [
      [{ ...caps, models: ['offline/another'] }, 'BAD_INPUT'],
      [{ ...caps, maxCreditsPerRun: 50 }, 'INSUFFICIENT_CREDITS'],
      [{ ...caps, maxCreditsPerCallerPerDay: 50 }, 'INSUFFICIENT_CREDITS'],
    ] as const) {
      await setSponsorship(owner, open, { enabled: true, credits: 500, period: 'total', ...limits });
      expect(await paid(chain(ask('a', { settings })), order)).toMatchObject({ status: 'failed', errorCode: code });
    }
    await setSponsorship(owner, open, { enabled: true, credits: 5000, period: 'total', ...caps, models: [name] });
    expect(await paid(chain(ask('a', { settings })), order)).toMatchObject({ status: 'succeeded' });
  });

  it('stays within the limit of the sponsor for one run, for any number of nodes', async () => {
    const owner = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    await grantCredits(owner, { accountId: owner.actor.accountId, amount: 10_000, note: 'for a spec' });
    const { id: open } = await aLens(owner, { templateBody: '[[Prompt]]' });
    const caps = { maxCreditsPerRun: 150, maxCreditsPerCallerPerDay: 5000 };
    await setSponsorship(owner, open, { enabled: true, credits: 5000, period: 'total', ...caps });
    const settings = { lensId: open, params: { Prompt: 'abcd' } };
    const all = ['a', 'b', 'c', 'd'].map((id) => ask(id, { settings }));
    const run = await paid({ nodes: all, edges: [] }, { fundingSource: 'sponsored' });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'INSUFFICIENT_CREDITS' });
    expect(10_000 - (await readBalance(owner)).available).toBeLessThanOrEqual(150);
  });

  it('is free with a BYOK key, which the providers of all nodes receive', async () => {
    const seen: (string | undefined)[] = [];
    const openai: Provider = {
      key: 'openai',
      keyless: true,
      async *stream({ apiKey }) {
        seen.push(await Promise.resolve(apiKey));
        yield { delta: 'Hello' };
      },
    };
    const keys = new ByokLeases(setup.ctx, new ByokOpener(await aKeyPair(setup.ctx)));
    const others = setup.engines.splice(0, 1, setup.anEngine({ keys, providers: providersByKey([openai]) }));
    const { id } = await createByokKey(ctx, {
      provider: 'openai',
      label: 'mine',
      secret: 'sk-live-c2FVsBQIhrscChlQIMV',
    });
    const child = await inner(chain(ask('a')));
    const order = { fundingSource: 'user_byok_cloud' as const, byokKeyRefId: id };
    try {
      const run = await setup.run(chain(ask('a'), calls(child)), order, ctx);
      expect(run).toMatchObject({ status: 'succeeded', creditCost: 0, billingStatus: 'none' });
    } finally {
      setup.engines.splice(0, 1, ...others);
    }
    expect(seen).toEqual(Array(2).fill('sk-live-c2FVsBQIhrscChlQIMV'));
    expect(await spent()).toBe(0);
    await expect(paid(chain(ask('a')), order)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    const local = { fundingSource: 'user_byok_local' as const };
    await expect(paid(chain(ask('a')), local)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

const idOf = (node: object | undefined): string => (node as { id: string }).id;

describe('a node with a lens that has settings', () => {
  const graphOf = (lensId: string, settings: object = {}) => ({
    nodes: [{ id: 'ask', type: 'lens', settings: { lensId, params: { Name: 'Ada' }, ...settings } }],
    edges: [],
  });

  it('answers with the JSON of the schema, and refuses another model', async () => {
    const { id: lensId } = await aLens(setup.ctx, {
      settings: {
        models: ['offline/echo'],
        outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
      },
    });
    const { output } = await setup.run(graphOf(lensId));
    expect(output).toEqual({ ask: { text: expect.any(String), json: { ok: expect.any(Boolean) } } });
    const other = await aPricedModel(setup.ctx);
    expect(await setup.run(graphOf(lensId, { model: other.key }))).toMatchObject({
      errorCode: 'BAD_INPUT',
      errorMessage: expect.stringContaining('modelOverride is decided by this version of the lens'),
    });
  });

  it('keeps the models of the lens when the run names one, unless the lens leaves them open', async () => {
    const other = await aPricedModel(setup.ctx);
    const closed = await aLens(setup.ctx, { settings: { models: ['offline/echo'] } });
    const open = await aLens(setup.ctx, { settings: { models: ['offline/echo'], mayOverride: ['model'] } });
    const asked = { modelOverride: other.key };
    const costOf = async (lensId: string) => (await setup.run(graphOf(lensId), asked)).creditCost;
    await grantCredits(setup.ctx, { accountId: setup.ctx.actor.accountId, amount: 10_000, key: 'open-models' });
    expect(await costOf(closed.id)).toBe(0);
    expect(await costOf(open.id)).toBeGreaterThan(0);
  });
});
