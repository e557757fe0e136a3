import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { assignTool } from '@lensforge/agents';
import { ledgerFaults } from '@lensforge/credits';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { until } from '@lensforge/testing';
import { type AgentSetup, type TestAgent, anAgentSetup, pricedModel } from './agent-setup.js';

let setup: AgentSetup;
beforeAll(async () => {
  setup = await anAgentSetup();
});
afterAll(() => setup.close());
afterEach(async () => expect(await ledgerFaults(setup.source.manager)).toEqual([]));

const ask = ({ handle }: TestAgent, task = 'Help me.') => ({ name: `agent:${handle}`, input: { task } });
const grants = (...agents: TestAgent[]) => agents.map(({ handle }) => `agent:${handle}`);
const makeLens = (title: string) => ({
  name: 'create_lens',
  input: { title, template_body: 'Greet the reader of this text in one friendly sentence.' },
});
const lensesNamed = async (title: string): Promise<number> => {
  const [row] = await setup.source.query<[{ count: number }]>(
    'select count(*)::int as count from lenses where title = $1',
    [title],
  );
  return row.count;
};
const payloads = async (runId: string, type: string): Promise<Record<string, unknown>[]> =>
  (await setup.eventsOf(runId, type)).map(({ payload }) => ({ ...payload }));

describe('an agent that calls another one', () => {
  it('gets its answer as the result of a tool, which the other reached with its own grants', async () => {
    const worker = await setup.anAgent({
      script: [{ calls: [makeLens('By the worker')] }, { say: 'I made {{1.title}}.' }],
      tools: ['create_lens'],
    });
    const planner = await setup.anAgent({
      script: [{ calls: [ask(worker, 'Make a lens.'), makeLens('By the planner')] }, { say: 'It said: {{1}}' }],
      tools: grants(worker),
    });
    const run = await setup.runAgent(planner);
    expect(run.output).toBe('It said: I made By the worker.');
    expect([await lensesNamed('By the worker'), await lensesNamed('By the planner')]).toEqual([1, 0]);
    expect(await payloads(run.id, 'agent.step')).toMatchObject([
      { agent: planner.handle, step: 1 },
      { agent: worker.handle, path: '1.1', step: 1 },
      { agent: worker.handle, path: '1.1', step: 2 },
      { agent: planner.handle, step: 2 },
    ]);
    const ofWorker = setup.requests.find(({ idempotencyKey }) => idempotencyKey === `${run.id}:work:1.1:1`);
    expect(ofWorker).toMatchObject({ prompt: 'Make a lens.' });
    expect((await setup.logOf(worker)).at(-1)).toMatchObject({ runId: run.id, payload: { toolId: 'create_lens' } });
  });

  it('has several at work side by side', async () => {
    const workers = await Promise.all(
      ['one', 'two', 'three'].map((say) => setup.anAgent({ script: [{ delayMs: 50, say }] })),
    );
    const planner = await setup.anAgent({
      script: [{ calls: workers.map((worker) => ask(worker)) }, { say: '{{1}}, {{2}}, {{3}}' }],
      tools: grants(...workers),
    });
    expect((await setup.runAgent(planner)).output).toBe('one, two, three');
  });

  it('gets an error, not a fifth level', async () => {
    let next = await setup.anAgent({ script: [{ say: 'level 5' }] });
    for (let level = 4; level >= 1; level -= 1) {
      next = await setup.anAgent({
        script: [{ calls: [ask(next)] }, { say: `level ${level}: {{1}}` }],
        tools: grants(next),
      });
    }
    const run = await setup.runAgent(next);
    expect(run.output).toBe(
      'level 1: level 2: level 3: level 4: The call failed: agents may call each other at most 4 levels deep',
    );
  });

  it('is told when the other one fails, is archived or is not granted', async () => {
    const endless = Array.from({ length: 5 }, () => ({ calls: [{ name: 'list_lenses', input: {} }] }));
    const failing = await setup.anAgent({ script: endless, tools: ['list_lenses'] });
    const archived = await setup.anAgent({ archived: true });
    const foreign = await setup.anAgent({});
    const planner = await setup.anAgent({
      script: [{ calls: [ask(failing), ask(archived), ask(foreign)] }, { say: '{{1}} | {{2}} | {{3}}' }],
      tools: grants(failing, archived),
    });
    const { output } = await setup.runAgent(planner, { maxSteps: 4 });
    expect(output).toMatch(/LIMIT_REACHED.* \| .*no active agent.* \| There is no tool agent:/);
  });

  it('shares the credits, tokens and budget with it', async () => {
    await setup.giveCredits(100_000);
    const { available } = await setup.balance();
    const worker = await setup.anAgent({ script: [{ say: 'word '.repeat(50) }] });
    const script = [{ calls: [ask(worker)] }, { calls: [ask(worker)] }, { say: 'Done.' }];
    const planner = await setup.anAgent({ script, tools: grants(worker), aiModelKey: pricedModel });
    const whole = await setup.runAgent(planner, {}, { modelOverride: pricedModel });
    expect(whole).toMatchObject({ status: 'succeeded' });
    const steps = await payloads(whole.id, 'agent.step');
    expect(steps).toHaveLength(5);
    expect(whole.creditCost).toBe(steps.reduce((sum, { creditCost }) => sum + Number(creditCost), 0));
    const [{ largest }] = await setup.source.query<[{ largest: number }]>(
      `select max(amount)::int as largest from credit_entries where run_id = $1 and kind = 'hold'`,
      [whole.id],
    );
    const poor = await setup.runAgent(planner, {}, { modelOverride: pricedModel, budgetCredits: largest });
    expect(poor).toMatchObject({ status: 'failed', errorCode: 'BUDGET_EXCEEDED' });
    expect(poor.creditCost).toBeGreaterThan(0);
    expect(poor.creditCost).toBeLessThanOrEqual(largest);
    const spent = (whole.creditCost ?? 0) + (poor.creditCost ?? 0);
    expect(await setup.balance()).toEqual({ available: available - spent, held: 0 });
  });

  it('continues with it behind the last step of both when the worker is lost', async () => {
    const worker = await setup.anAgent({
      script: [{ calls: [makeLens('Once in a team')] }, { delayMs: 600, say: 'made' }],
      tools: ['create_lens'],
    });
    const planner = await setup.anAgent({
      script: [{ calls: [ask(worker)] }, { say: '{{1}}' }],
      tools: grants(worker),
    });
    const runId = await setup.acceptAgent(planner);
    const requestsOf = () =>
      setup.requests.map(({ idempotencyKey: key }) => key).filter((key) => key.startsWith(runId));
    await until(() => requestsOf().length === 3);
    await setup.loseWorker(runId);
    expect((await setup.ended(runId)).output).toBe('made');
    expect(await lensesNamed('Once in a team')).toBe(1);
    expect(requestsOf().map((key) => key.slice(runId.length))).toEqual([
      ':work:1',
      ':work:1.1:1',
      ':work:1.1:2',
      ':work:1.1:2',
      ':work:2',
    ]);
  });

  it('can only be granted AI lensers of its owner', async () => {
    const { id: agentId } = await setup.anAgent({});
    const stranger = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    const { handle } = await setup.anAgent({}, stranger);
    for (const toolId of [`agent:${handle}`, 'agent:nothing-of-this-name']) {
      await expect(assignTool(setup.ctx, { agentId, toolId, allowed: true })).rejects.toMatchObject({
        code: 'BAD_INPUT',
      });
    }
  });
});
