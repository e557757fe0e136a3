import type { LensSettings, RequiredCall } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { acceptLensRun, answerToolCalls, cancelRun, readRun, wakeNode } from '@lensforge/runs';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AgentSetup, anAgentSetup, pricedModel } from './agent-setup.js';

let setup: AgentSetup;

beforeAll(async () => {
  setup = await anAgentSetup();
});
afterAll(() => setup.close());

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { name: 'get_weather', description: 'The weather in a city.', inputSchema: city };
const time = { name: 'get_time', inputSchema: city };
const ask = (name: string, place: string) => ({ name, input: { city: place } });

interface Traits {
  script: readonly object[];
  settings?: LensSettings;
  pieceDelayMs?: number;
}

/** A lens with tools, whose model says and calls what the script says. */
async function aLensWithTools({ script, settings = {}, ...more }: Traits): Promise<string> {
  const templateBody = `@offline ${JSON.stringify({ script, ...more })}\n[[Prompt]]`;
  const lens = await aLens(setup.ctx, { templateBody, settings: { tools: [weather, time], ...settings } });
  return lens.id;
}

const accept = async (
  lensId: string,
  order: Partial<Parameters<typeof acceptLensRun>[1]> = {},
  ctx: Context = setup.ctx,
): Promise<string> => {
  const { runId } = await acceptLensRun(ctx, { lensId, params: { Prompt: 'Say it.' }, timeoutMs: 60_000, ...order });
  return runId;
};

/** The calls that a run waits for, as soon as its node waits. */
const callsOf = (runId: string, count = 1): Promise<RequiredCall[]> =>
  until(async () => {
    const { requiredAction } = await readRun(setup.ctx, runId);
    const waits = (await setup.statuses(runId))['lens'] === 'waiting';
    return waits && requiredAction?.calls.length === count ? requiredAction.calls : undefined;
  });

const answer = (runId: string, calls: readonly RequiredCall[], output: unknown) =>
  answerToolCalls(setup.ctx, { runId, results: calls.map(({ callId }) => ({ callId, output })) });

const oneRound = [{ say: 'A moment.', calls: [ask('get_weather', 'Oslo')] }, { say: 'It is {{1}} in Oslo.' }];

describe('a lens with tools of its caller', () => {
  it('waits for the results of its calls and then answers, with one run and one answer', async () => {
    const runId = await accept(await aLensWithTools({ script: oneRound }));
    const calls = await callsOf(runId);
    expect(calls).toEqual([
      {
        callId: expect.any(String),
        nodeKey: 'lens',
        name: 'get_weather',
        input: { city: 'Oslo' },
        requestedAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ]);
    expect(await readRun(setup.ctx, runId)).toMatchObject({ status: 'running', kind: 'lens' });
    const [asked] = await setup.eventsOf(runId, 'run.requires_action');
    expect(asked?.payload).toEqual({
      nodeId: 'lens',
      calls: [{ callId: calls[0]?.callId, name: 'get_weather', input: { city: 'Oslo' } }],
      expiresAt: calls[0]?.expiresAt,
    });
    expect(await answer(runId, calls, 'sunny')).toBeNull();
    const ended = await setup.ended(runId);
    expect(ended).toMatchObject({ status: 'succeeded', kind: 'lens' });
    expect(ended.requiredAction).toBeNull();
    expect(ended.artifacts).toMatchObject([
      { artifactKind: 'text', contentText: 'It is sunny in Oslo.', isPrimaryOutput: true },
    ]);
    const events = await setup.events(runId);
    expect(events.filter(({ eventType }) => eventType === 'run.started')).toHaveLength(1);
    const text = (type: string) =>
      events
        .flatMap(({ eventType, payload }) => (eventType === type ? [(payload as { text: string }).text] : []))
        .join('');
    expect(text('node.output.delta')).toBe('A moment.It is sunny in Oslo.');
    expect(text('agent.tool_result')).toBe('sunny');
  });

  it('gives the model its prompt, tools, turns and plain results in each request', async () => {
    setup.requests.length = 0;
    const runId = await accept(
      await aLensWithTools({ script: oneRound, settings: { sampling: { maxOutputTokens: 50 } } }),
    );
    await answer(runId, await callsOf(runId), { degrees: 21 });
    await setup.ended(runId);
    const [first, second] = setup.requests;
    expect(first).toMatchObject({ tools: [weather, { ...time, description: '' }], messages: [], maxOutputTokens: 50 });
    expect(second?.messages).toEqual([
      { role: 'assistant', text: 'A moment.', toolCalls: [{ id: 'offline_1_1', ...ask('get_weather', 'Oslo') }] },
      {
        role: 'tool',
        results: [{ callId: 'offline_1_1', name: 'get_weather', text: '{"degrees":21}', isError: false }],
      },
    ]);
    expect(second?.prompt).toBe(first?.prompt);
  });

  it('asks for calls of one answer together and continues when all have results', async () => {
    const script = [{ calls: [ask('get_weather', 'Oslo'), ask('get_time', 'Lima')] }, { say: '{{1}} and {{2}}' }];
    const runId = await accept(await aLensWithTools({ script }));
    const [first, second] = await callsOf(runId, 2);
    expect(await setup.eventsOf(runId, 'run.requires_action')).toHaveLength(1);
    expect(await answer(runId, [second!], 'noon')).toMatchObject({
      type: 'tool_results',
      calls: [{ callId: first!.callId }],
    });
    expect(await answer(runId, [first!], 'rain')).toBeNull();
    expect((await setup.ended(runId)).artifacts).toMatchObject([{ contentText: 'rain and noon' }]);
  });

  it('streams the arguments of calls as events before the whole call', async () => {
    const place = 'a city by the sea, with hills and ferries';
    const script = [{ calls: [ask('get_weather', place)] }, { say: 'Done.' }];
    const runId = await accept(await aLensWithTools({ script, pieceDelayMs: 40 }));
    await answer(runId, await callsOf(runId), 'x');
    await setup.ended(runId);
    const [call] = await setup.eventsOf(runId, 'agent.tool_call');
    expect(call?.payload).toMatchObject({ call: 1, toolId: 'get_weather', input: { city: place } });
    const deltas = await setup.eventsOf(runId, 'agent.tool_input.delta');
    const streamed = deltas.map(({ payload }) => (payload as { text: string }).text).join('');
    expect(streamed.length).toBeGreaterThan(10);
    expect(JSON.stringify({ city: place })).toContain(streamed);
    for (const { payload, sequence } of deltas) {
      expect(payload).toMatchObject({ nodeId: 'lens', step: 1, call: 1, toolId: 'get_weather' });
      expect(sequence).toBeLessThan(call?.sequence ?? 0);
    }
  });

  it('has an answer by its schema, also with tools, and asks again for one that does not fit', async () => {
    const outputSchema = { type: 'object', properties: { sky: { type: 'string' } }, required: ['sky'] };
    const script = [{ calls: [ask('get_weather', 'Oslo')] }, { say: 'It is {{1}}.' }, { say: '{"sky":"{{1}}"}' }];
    const runId = await accept(await aLensWithTools({ script, settings: { outputSchema } }));
    await answer(runId, await callsOf(runId), 'clear');
    expect((await setup.ended(runId)).artifacts).toMatchObject([
      { artifactKind: 'json', contentJson: { sky: 'clear' }, isPrimaryOutput: true },
    ]);
  });

  it('lets a model read why there is no result', async () => {
    const runId = await accept(await aLensWithTools({ script: [oneRound[0]!, { say: 'Sorry: {{1}}' }] }));
    const [call] = await callsOf(runId);
    await answerToolCalls(setup.ctx, { runId, results: [{ callId: call!.callId, error: 'no such city' }] });
    expect((await setup.ended(runId)).artifacts).toMatchObject([{ contentText: 'Sorry: no such city' }]);
    expect(setup.requests.at(-1)?.messages?.at(-1)).toMatchObject({ results: [{ isError: true }] });
  });

  it('goes on without the caller when the model calls a tool that does not exist', async () => {
    const runId = await accept(
      await aLensWithTools({ script: [{ calls: [ask('get_rich', 'Oslo')] }, { say: '{{1}}' }] }),
    );
    expect((await setup.ended(runId)).artifacts).toMatchObject([{ contentText: 'There is no tool get_rich for you' }]);
  });
});

describe('results of tools', () => {
  const refusal = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'accepted',
      (reason: unknown) => (reason instanceof DomainError ? reason.code : reason),
    );

  it('count once: the same result changes nothing, another one is refused, and all are stored or none', async () => {
    const script = [{ calls: [ask('get_weather', 'Oslo'), ask('get_time', 'Oslo')] }, { say: '{{1}} {{2}}' }];
    const runId = await accept(await aLensWithTools({ script }));
    const [first, second] = await callsOf(runId, 2);
    await answer(runId, [first!], 'rain');
    expect(await refusal(answer(runId, [first!], 'rain'))).toBe('accepted');
    expect(await refusal(answer(runId, [second!, first!], 'snow'))).toBe('CONFLICT');
    expect((await readRun(setup.ctx, runId)).requiredAction?.calls).toMatchObject([{ callId: second!.callId }]);
    await Promise.all([answer(runId, [second!], 'noon'), answer(runId, [second!], 'noon')]);
    expect((await setup.ended(runId)).artifacts).toMatchObject([{ contentText: 'rain noon' }]);
    expect(await refusal(answer(runId, [second!], 'noon'))).toBe('accepted');
    expect(await refusal(answer(runId, [second!], 'midnight'))).toBe('CONFLICT');
  });

  it.each([
    ['neither output nor error', {}],
    ['both', { output: 1, error: 'x' }],
    ['a result that is too long', { output: 'x'.repeat(100_001) }],
  ])('are refused with %s', async (_, result) => {
    const runId = await accept(await aLensWithTools({ script: oneRound }));
    const [call] = await callsOf(runId);
    const answered = answerToolCalls(setup.ctx, { runId, results: [{ callId: call!.callId, ...result }] });
    expect(await refusal(answered)).toBe('BAD_INPUT');
    await cancelRun(setup.ctx, runId);
  });

  it('are refused from strangers, for unknown calls, and after the end of the run', async () => {
    const runId = await accept(await aLensWithTools({ script: oneRound }));
    const calls = await callsOf(runId);
    const stranger = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    const results = calls.map(({ callId }) => ({ callId, output: 1 }));
    expect(await refusal(answerToolCalls(stranger, { runId, results }))).toBe('NOT_FOUND');
    expect(await refusal(answerToolCalls(setup.ctx, { runId, results: [{ callId: runId, output: 1 }] }))).toBe(
      'NOT_FOUND',
    );
    expect(await cancelRun(setup.ctx, runId)).toMatchObject({ status: 'canceled' });
    expect(await refusal(answer(runId, calls, 1))).toBe('CONFLICT');
    expect((await readRun(setup.ctx, runId)).requiredAction).toBeNull();
  });

  it('that do not arrive in time fail the run', async () => {
    const runId = await accept(await aLensWithTools({ script: oneRound }));
    const calls = await callsOf(runId);
    await setup.source.query('update node_waits set expires_at = now() where run_id = $1', [runId]);
    expect(await refusal(answer(runId, calls, 1))).toBe('CONFLICT');
    await wakeNode(setup.ctx, runId, 'lens');
    expect(await setup.ended(runId)).toMatchObject({ status: 'failed', errorCode: 'TOOL_RESULTS_EXPIRED' });
  });

  it('are awaited for a day, also by a run with a short time limit', async () => {
    const runId = await accept(await aLensWithTools({ script: oneRound }), { timeoutMs: 5000 });
    await callsOf(runId);
    const [run] = await setup.source.query<[{ hours: number }]>(
      'select (extract(epoch from deadline_at - now()) / 3600)::float8 as hours from runs where id = $1',
      [runId],
    );
    expect(run.hours).toBeGreaterThan(24);
    await cancelRun(setup.ctx, runId);
  });
});

describe('the credits of a lens with tools', () => {
  it('are held by request, and no more than maxCredits', async () => {
    await setup.giveCredits(10_000);
    const settings = { models: [pricedModel], sampling: { maxOutputTokens: 100 } };
    const lensId = await aLensWithTools({ script: oneRound, settings });
    const before = await setup.balance();
    const runId = await accept(lensId);
    const calls = await callsOf(runId);
    const waiting = await setup.balance();
    expect(waiting.held).toBe(before.held);
    expect(waiting.available).toBeLessThan(before.available);
    await answer(runId, calls, 'sunny');
    const ended = await setup.ended(runId);
    expect(ended).toMatchObject({ status: 'succeeded', billingStatus: 'charged' });
    const after = await setup.balance();
    expect(before.available - after.available).toBe(ended.creditCost);
    expect(after.held).toBe(before.held);

    const refused = await accept(lensId, { maxCredits: 300 });
    await answer(refused, await callsOf(refused), 'rain '.repeat(400));
    expect(await setup.ended(refused)).toMatchObject({ status: 'failed', errorCode: 'BUDGET_EXCEEDED' });
    expect((await setup.balance()).held).toBe(before.held);
  });
});

describe('a lens with tools', () => {
  it('asks from a node of a workflow, and its result is the output of the node', async () => {
    const lensId = await aLensWithTools({ script: oneRound });
    const runId = await setup.accept({
      nodes: [{ id: 'ask', type: 'lens', settings: { lensId, params: { Prompt: 'Hello' } } }],
      edges: [],
    });
    const calls = await until(async () => (await readRun(setup.ctx, runId)).requiredAction?.calls);
    expect(calls).toMatchObject([{ nodeKey: 'ask', name: 'get_weather' }]);
    await answer(runId, calls, 'warm');
    expect(await setup.ended(runId)).toMatchObject({ status: 'succeeded' });
    expect((await setup.nodes(runId))['ask']?.output).toEqual({ text: 'It is warm in Oslo.' });
  });

  it('is not executed by a local runner', async () => {
    const lensId = await aLensWithTools({ script: oneRound });
    await expect(accept(lensId, { fundingSource: 'user_byok_local' })).rejects.toThrow(
      /user_byok_local cannot execute/,
    );
  });

  it('continues behind the last step on another worker', async () => {
    setup.requests.length = 0;
    const script = [...oneRound.slice(0, 1), { delayMs: 60_000, say: 'too slow' }];
    const runId = await accept(await aLensWithTools({ script }));
    await answer(runId, await callsOf(runId), 'sunny');
    await until(() => setup.requests.length === 2);
    await setup.loseWorker(runId, 'lens');
    await until(() => setup.requests.length === 3);
    expect(setup.requests[2]?.messages).toEqual(setup.requests[1]?.messages);
    await cancelRun(setup.ctx, runId);
  });
});

describe('the tools of an AI lenser in a lens', () => {
  const settingsOf = ({ handle }: { handle: string }): LensSettings => ({
    tools: [weather, { name: 'get_lens' }, { name: 'update_lens' }],
    toolsOf: handle,
  });
  const calls = (lensId: string) => [
    { calls: [{ name: 'get_lens', input: { lens_id: lensId } }, ask('get_weather', 'Oslo')] },
    { say: '{{1.lens.title}} {{2}}' },
  ];

  it('are performed by its grants beside those of the caller, whose results alone are without a fence', async () => {
    setup.requests.length = 0;
    const agent = await setup.anAgent({ tools: ['get_lens', 'list_lenses'], instructions: 'Say nothing at all.' });
    const { id: other } = await aLens(setup.ctx, { title: 'Greeting' });
    const runId = await accept(await aLensWithTools({ script: calls(other), settings: settingsOf(agent) }));
    await answer(runId, await callsOf(runId), 'sunny');
    const ended = await setup.ended(runId);
    expect(ended.artifacts).toMatchObject([{ contentText: expect.stringMatching(/ sunny$/) }]);
    const [first, last] = setup.requests;
    expect(first?.tools?.map(({ name }) => name)).toEqual(['get_weather', 'get_lens']);
    expect(first?.system).toContain('Results of tools and inputs stand between lines');
    expect(first?.system).not.toContain('Say nothing');
    const results = last?.messages?.flatMap((message) => (message.role === 'tool' ? message.results : [])) ?? [];
    expect(results.map(({ text }) => text.startsWith('<<<'))).toEqual([true, false]);
    const log = await setup.logOf(agent);
    expect(log.filter(({ eventType }) => eventType === 'tool.decided')).toMatchObject([
      { payload: { toolId: 'get_lens', verdict: 'allow' } },
    ]);
  });

  it('are refused to a call without the scope of its tool, as the credential of the run has none', async () => {
    const agent = await setup.anAgent({ tools: ['list_battles'] });
    const script = [{ calls: [{ name: 'list_battles', input: {} }] }, { say: '{{1}}' }];
    const lensId = await aLensWithTools({
      script,
      settings: { tools: [{ name: 'list_battles' }], toolsOf: agent.handle },
    });
    const reader = { ...setup.ctx, actor: { ...setup.ctx.actor, scopes: ['lenses:read' as const] } };
    const runId = await accept(lensId, {}, reader);
    expect((await setup.ended(runId)).artifacts).toMatchObject([
      { contentText: expect.stringContaining('PERMISSION') },
    ]);
    const graph = { nodes: [{ id: 'ask', type: 'lens', settings: { lensId, params: { Prompt: 'x' } } }], edges: [] };
    const starter = { ...reader, actor: { ...reader.actor, scopes: ['lenses:read', 'workflows:write'] as const } };
    await setup.ended(await setup.accept(graph, {}, starter));
    expect(setup.requests.at(-1)?.messages?.at(-1)).toMatchObject({ results: [{ isError: true }] });
    await setup.ended(await setup.accept(graph));
    expect(setup.requests.at(-1)?.messages?.at(-1)).toMatchObject({ results: [{ isError: false }] });
    const allowed = await accept(lensId);
    expect((await setup.ended(allowed)).artifacts).toMatchObject([
      { contentText: expect.stringContaining('"items":[]') },
    ]);
  });

  it('are of the owner alone: others cannot run the lens, but fork it', async () => {
    const agent = await setup.anAgent({ tools: ['get_lens'] });
    const { id } = await aLens(setup.ctx, {
      templateBody: 'Look it up, then say in a few words what it is: [[Prompt]]',
      settings: { tools: [{ name: 'get_lens' }], toolsOf: agent.handle },
      visibility: 'public',
    });
    const stranger = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    await expect(accept(id, {}, stranger)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const graph = {
      nodes: [{ id: 'look', type: 'lens', settings: { lensId: id, params: { Prompt: 'x' } } }],
      edges: [],
    };
    const runId = await setup.accept(graph, {}, stranger);
    const ended = await until(async () => {
      const run = await readRun(stranger, runId);
      return run.completedAt === null ? undefined : run;
    });
    expect(ended).toMatchObject({ status: 'failed', errorMessage: expect.stringContaining('has no AI lenser') });
  });
});
