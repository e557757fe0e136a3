import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunEvent } from '@lensforge/contracts';
import { setSponsorship } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import { importModels } from '@lensforge/models';
import { type EngineSetup, anEngineSetup } from '../../test/engine-setup.js';
import { type Provider, ProviderFault, type ProviderPart, type ProviderRequest } from '../providers/provider.js';
import { providersByKey } from '../providers/providers.js';

type Answer = (request: ProviderRequest, signal: AbortSignal) => AsyncIterable<ProviderPart>;

let setup: EngineSetup;
let answers: Record<string, Answer>;
let requests: ProviderRequest[];

beforeAll(async () => {
  setup = await anEngineSetup();
  const priced = { creditsPer1kInput: 0, creditsPer1kOutput: 0, capabilities: ['json', 'images', 'tools'] as const };
  const fallbacks = ['two/large', 'three/large'];
  await importModels(setup.ctx, [
    { provider: 'one', key: 'large', ...priced, capabilities: [...priced.capabilities], fallbacks },
    { provider: 'two', key: 'large', ...priced, capabilities: ['json'] },
    { provider: 'three', key: 'large', ...priced, capabilities: [...priced.capabilities] },
    { provider: 'three', key: 'seeing', ...priced, capabilities: ['images', 'image_urls'] },
  ]);
  await setup.ctx.db.query(`insert into providers (key) values ('one'), ('two'), ('three')`);
});
afterAll(() => setup.close());
beforeEach(() => {
  requests = [];
  answers = { one: fails('unavailable'), two: replies('from two'), three: replies('from three') };
});

const replies = (...deltas: string[]): Answer =>
  async function* () {
    for (const delta of deltas) yield { delta };
    yield { usage: { input: 1, output: deltas.length } };
  };
const fails = (kind: ProviderFault['kind'], retryAfterMs?: number): Answer =>
  async function* () {
    yield* [];
    throw new ProviderFault(kind, 'not today', retryAfterMs);
  };

const providerOf = (key: string): Provider => ({
  key,
  stream: (request, signal) => {
    requests.push({ ...request, model: `${key}/${request.model}` });
    return (answers[key] ?? replies('?'))(request, signal);
  },
});
const openProviders = () => providersByKey(['one', 'two', 'three'].map(providerOf));
const order = { modelOverride: 'one/large', params: { Prompt: 'Say hello' } };

async function executed(more: object = {}, providers = openProviders(), generation = 0) {
  const engine = setup.engine({ providers });
  const runId = await setup.accept('Say hello', { ...order, ...more });
  const outcome = await engine.execute({ runId, generation });
  return { runId, outcome, run: await setup.run(runId), names: requests.map(({ model }) => model) };
}

const logsOf = async (runId: string): Promise<RunEvent[]> =>
  (await setup.events(runId)).filter(({ eventType }) => eventType === 'log');

describe('requestModel, when a model cannot answer,', () => {
  it.each(['unavailable', 'limited', 'unpaid', 'broken'] as const)(
    'requests a fallback after the fault %s, and the run names the model that answered',
    async (kind) => {
      answers['one'] = fails(kind);
      const { runId, outcome, run, names } = await executed();
      expect(outcome).toBe('succeeded');
      expect(names).toEqual(['one/large', 'two/large']);
      expect(run).toMatchObject({ providerKey: 'two', modelKey: 'large', artifacts: [{ contentText: 'from two' }] });
      const [log] = await logsOf(runId);
      expect(log?.payload).toMatchObject({ level: 'warn', members: { failed: 'one/large', next: 'two/large' } });
      expect(await setup.story(runId)).toEqual(
        expect.arrayContaining(['run.started', 'log', 'node.output.delta', 'run.succeeded']),
      );
    },
  );

  it.each(['refused', 'filtered', 'unauthorized'] as const)('requests no fallback after the fault %s', async (kind) => {
    answers['one'] = fails(kind);
    const { outcome, names } = await executed();
    expect({ outcome, names }).toEqual({ outcome: 'failed', names: ['one/large'] });
  });

  it('requests no fallback once text has arrived', async () => {
    answers['one'] = async function* () {
      yield { delta: 'half of ' };
      throw new ProviderFault('unavailable', 'the connection was lost');
    };
    const { outcome, names, runId } = await executed();
    expect({ outcome, names }).toEqual({ outcome: 'retried', names: ['one/large'] });
    expect((await setup.story(runId)).at(-1)).toBe('run.retrying');
  });

  it('is retried after the shortest reported delay when no fallback can answer', async () => {
    answers = { one: fails('limited', 50_000), two: fails('unavailable', 3000), three: fails('unpaid') };
    const { outcome, runId, names } = await executed();
    expect({ outcome, names }).toEqual({ outcome: 'retried', names: ['one/large', 'two/large', 'three/large'] });
    const retrying = (await setup.events(runId)).find(({ eventType }) => eventType === 'run.retrying');
    expect(retrying?.payload).toMatchObject({ reason: 'The provider two says: not today', delayMs: 3000 });
  });

  it('starts with the fallback during the cooldown of the model', async () => {
    const providers = openProviders();
    await executed({}, providers);
    requests = [];
    const { names, run, runId } = await executed({}, providers);
    expect(names).toEqual(['two/large']);
    expect(run.providerKey).toBe('two');
    expect(await logsOf(runId)).toEqual([]);
  });

  it('requests only fallbacks with the needed capabilities', async () => {
    const Photo = { image: { mediaType: 'image/png', data: 'aGFsbG8=' } };
    const { names } = await executed({ params: { Prompt: Photo } });
    expect(names).toEqual(['one/large', 'three/large']);
    expect(requests[1]).toMatchObject({ prompt: '[image 1]', images: [{ mediaType: 'image/png', data: 'aGFsbG8=' }] });
  });

  it('sends the images of a lens with their messages, and those of parameters with the last one', async () => {
    const image = (name: string) => `[[@image image/png https://example.com/${name}.png]]`;
    const { id: lensId } = await aLens(setup.ctx, {
      templateBody: `[[@user]]\n${image('a')}\nSay it.\n[[@assistant]]\nIt is a.\n[[@user]]\n${image('b')}\nAnd [[Photo]]?`,
    });
    const Photo = { image: { mediaType: 'image/png', data: 'aGFsbG8=' } };
    await expect(executed({ lensId, params: { Photo } })).rejects.toThrow(/image_urls|images/);
    await executed({ lensId, params: { Photo }, modelOverride: 'three/seeing' });
    expect(requests[0]).toMatchObject({
      prompt: 'Say it.',
      images: [{ mediaType: 'image/png', url: 'https://example.com/a.png' }],
      messages: [
        { role: 'assistant', text: 'It is a.' },
        {
          role: 'user',
          text: 'And [image 1]?',
          images: [{ url: 'https://example.com/b.png' }, { data: 'aGFsbG8=' }],
        },
      ],
    });
  });

  it('requests only fallbacks that the sponsor pays for', async () => {
    await setSponsorship(setup.ctx, setup.lensId, {
      enabled: true,
      credits: 10,
      period: 'total',
      models: ['one/large', 'three/large'],
    });
    const { names, outcome } = await executed({ fundingSource: 'sponsored' });
    expect({ outcome, names }).toEqual({ outcome: 'succeeded', names: ['one/large', 'three/large'] });
  });

  it('is retried when only this worker has no key for the model', async () => {
    const providers = providersByKey([{ ...providerOf('one'), keyless: true }]);
    const { outcome, names } = await executed({}, providers);
    expect({ outcome, names }).toEqual({ outcome: 'retried', names: [] });
  });
});

describe('a JSON answer', () => {
  const outputSchema = { type: 'object', required: ['age'], properties: { age: { type: 'integer' } } };

  it('becomes a JSON artifact when it is valid', async () => {
    answers['one'] = replies('{"age"', ': 36}');
    const { run } = await executed({ outputSchema });
    expect(requests[0]?.outputSchema).toEqual(outputSchema);
    expect(run.artifacts).toMatchObject([
      { artifactKind: 'json', contentJson: { age: 36 }, contentText: null, isPrimaryOutput: true },
    ]);
  });

  it.each([
    ['Sure! {"age": 36}', 'is not JSON'],
    ['{"age": "old"}', '/age must be integer'],
  ])('fails its run with the text %s', async (text, reason) => {
    answers['one'] = replies(text);
    const { run } = await executed({ outputSchema });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'OUTPUT_NOT_VALID', artifacts: [] });
    expect(run.errorMessage).toContain(reason);
  });

  it('fails its run when it is nested deeper than 32 levels, and leaves such arguments of tool calls out', async () => {
    const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    const calls = async function* (): AsyncIterable<ProviderPart> {
      yield { toolCall: { id: 'a', name: 'search', input: deep } };
      yield* replies('done')(requests[0] as ProviderRequest, AbortSignal.abort());
    };
    answers['one'] = calls;
    const { run: withCall } = await executed();
    const toolLog = withCall.artifacts.find(({ artifactKind }) => artifactKind === 'tool_log');
    expect(toolLog?.contentJson).toEqual([expect.objectContaining({ input: expect.stringContaining('32 levels') })]);
    answers['one'] = replies('['.repeat(20_000), ']'.repeat(20_000));
    const { run } = await executed({ outputSchema: { type: 'array' } });
    expect(run).toMatchObject({ status: 'failed', errorCode: 'OUTPUT_NOT_VALID', artifacts: [] });
    expect(run.errorMessage).toContain('nested deeper than 32 levels');
  });
});

describe('requestModel', () => {
  it('passes the limit of output tokens on', async () => {
    answers['one'] = replies('short');
    await executed({ sampling: { maxOutputTokens: 7 } });
    expect(requests[0]).toMatchObject({ maxOutputTokens: 7 });
  });

  it.each([
    ['nothing', []],
    ['zeros', [{ usage: { input: 0, output: 0 } }]],
  ])('estimates the tokens when the provider reports %s of its usage', async (_, parts) => {
    answers['one'] = async function* () {
      yield { delta: 'four' };
      yield { delta: ' more words.' };
      yield* parts;
    };
    const { run } = await executed();
    expect(run).toMatchObject({ status: 'succeeded', tokenInput: 2, tokenOutput: 4 });
  });

  it('stores tool calls beside the answer', async () => {
    answers['one'] = async function* () {
      yield { toolCall: { id: 'c1', name: 'weather', input: { city: 'Bonn' } } };
      yield { delta: 'Sunny.' };
    };
    const { run } = await executed();
    expect(run.artifacts).toMatchObject([
      { artifactKind: 'text', contentText: 'Sunny.', isPrimaryOutput: true },
      { artifactKind: 'tool_log', contentJson: [{ id: 'c1', name: 'weather' }], isPrimaryOutput: false },
    ]);
    expect(run.tokenOutput).toBe(2);
  });
});

describe('a rate limit that a provider reports', () => {
  it('delays the next call, which ends when its run is stopped', async () => {
    const providers = openProviders();
    answers['one'] = async function* () {
      yield { rates: { requests: { limit: 1, remaining: 0, resetMs: 5000 } } };
      yield { delta: 'hello' };
    };
    await executed({}, providers);
    const engine = setup.engine({ providers });
    const runId = await setup.accept('Say hello', order);
    const waiting = engine.execute({ runId, generation: 0 });
    while (engine.leases.size === 0) await pause(5);
    await pause(50);
    expect(requests).toHaveLength(1);
    engine.release();
    expect(await waiting).toBe('released');
    expect(requests).toHaveLength(1);
  });
});
