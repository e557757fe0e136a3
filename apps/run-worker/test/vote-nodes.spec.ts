import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { extractFeatures } from '@lensforge/judges';
import { until } from '@lensforge/testing';
import { offlineProvider } from '../src/providers/offline.js';
import type { ProviderPart } from '../src/providers/provider.js';
import { providersByKey } from '../src/providers/providers.js';
import { type AgentSetup, type TestAgent, anAgentSetup, pricedModel } from './agent-setup.js';
import { honest, task, weak } from './hostile-entries.js';
import { dataOf } from './obedient-model.js';

let setup: AgentSetup;
let judged: string[] = [];
beforeAll(async () => {
  const offline = offlineProvider();
  setup = await anAgentSetup({
    providers: providersByKey([
      {
        ...offline,
        // Judges of this spec prefer the text with the word Rome.
        async *stream(request, signal): AsyncGenerator<ProviderPart> {
          if (!request.prompt.startsWith('You compare two anonymous texts')) {
            for await (const part of offline.stream(request, signal)) yield part;
            return;
          }
          judged.push(request.prompt);
          const { blocks } = dataOf(request.prompt);
          const choice = blocks.get('FIRST TEXT')?.includes('Rome') ? 'first' : 'second';
          yield { delta: JSON.stringify({ reasoning: 'It is Rome.', choice }) };
          yield { usage: { input: 10, output: 5 } };
        },
      },
    ]),
  });
});
afterAll(() => setup.close());

const voteOf = (agents: readonly TestAgent[], settings: object = {}): object => ({
  nodes: [
    {
      id: 'work',
      type: 'vote',
      settings: { agents: agents.map(({ handle }) => handle), prompt: 'Name the capital of Italy.', ...settings },
    },
  ],
  edges: [],
});
const saying = (...texts: string[]) => Promise.all(texts.map((say) => setup.anAgent({ script: [{ say }] })));

describe('a vote node', () => {
  it('has all agents answer, and a model choose without their names', async () => {
    judged = [];
    const agents = await saying('It is Milan.', 'It is Rome.', 'It is Pisa.');
    const run = await setup.run(voteOf(agents, { judgeModel: pricedModel.replace('priced', 'echo') }));
    expect(run.output).toMatchObject({
      work: {
        winner: agents[1]?.handle,
        text: 'It is Rome.',
        answers: [
          { agent: agents[0]?.handle, text: 'It is Milan.' },
          { agent: agents[1]?.handle, score: 1 },
          { agent: agents[2]?.handle },
        ],
      },
    });
    expect(judged).toHaveLength(6);
    for (const prompt of judged) for (const { handle } of agents) expect(prompt).not.toContain(handle);
  });

  it('chooses by measured features without a model, the same each time', async () => {
    // The first measurement of a process starts the sandbox, which may exceed its time limit.
    await until(async () => (await extractFeatures(task, honest, { account: 'warm-up' })).words > 0);
    const agents = await saying(weak, honest);
    const first = await setup.run(voteOf(agents, { prompt: task }));
    expect(first.output).toMatchObject({ work: { winner: agents[1]?.handle } });
    expect((await setup.run(voteOf(agents, { prompt: task }))).output).toEqual(first.output);
  });

  it('leaves out agents that fail, and fails when none answers', async () => {
    const failing = await setup.anAgent({
      script: [{ calls: [{ name: 'list_lenses', input: {} }] }, { say: 'too late' }],
      tools: ['list_lenses'],
    });
    const other = await setup.anAgent({ script: [{ calls: [{ name: 'x', input: {} }] }] });
    const [good] = (await saying('Rome')) as [TestAgent];
    const run = await setup.run(voteOf([failing, good], { maxSteps: 1 }));
    expect(run.output).toMatchObject({ work: { winner: good.handle, answers: [{ agent: good.handle, score: 1 }] } });
    expect(await setup.run(voteOf([failing, other], { maxSteps: 1 }))).toMatchObject({
      status: 'failed',
      errorCode: 'NO_ANSWER',
    });
  });

  it('pays for its judge within its limits', async () => {
    await setup.giveCredits(50_000);
    const { available } = await setup.balance();
    const agents = await saying('It is Rome.', 'It is Milan.');
    const run = await setup.run(voteOf(agents, { judgeModel: pricedModel }));
    expect(run).toMatchObject({ status: 'succeeded', creditCost: 30 });
    expect(await setup.balance()).toEqual({ available: available - 30, held: 0 });
    expect(await setup.run(voteOf(agents, { judgeModel: pricedModel, maxCredits: 20 }))).toMatchObject({
      errorCode: 'LIMIT_REACHED',
    });
  });

  it('requests no answer and no judgement again when its worker is lost', async () => {
    judged = [];
    const quick = await setup.anAgent({ script: [{ say: 'It is Rome.' }] });
    const slow = await setup.anAgent({ script: [{ delayMs: 600, say: 'It is Milan.' }] });
    const runId = await setup.accept(voteOf([quick, slow], { judgeModel: 'offline/echo' }));
    await until(async () => (await setup.eventsOf(runId, 'agent.step')).length === 1);
    await setup.loseWorker(runId);
    expect((await setup.ended(runId)).output).toMatchObject({ work: { winner: quick.handle } });
    expect(await setup.eventsOf(runId, 'agent.step')).toHaveLength(4);
    expect(judged).toHaveLength(2);
  });
});
