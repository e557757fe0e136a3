import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acceptEmbeddingRun, retryRun, unpackVector } from '@lensforge/runs';
import { aPromptRun } from '@lensforge/runs/testing';
import { offlineProvider } from '../src/providers/offline.js';
import { type Provider, ProviderFault, type ProviderRequest } from '../src/providers/provider.js';
import { type EngineSetup, aProvider, anEngineSetup } from './engine-setup.js';

let setup: EngineSetup;
beforeAll(async () => {
  setup = await anEngineSetup();
});
afterAll(() => setup.close());

const execute = (runId: string, provider?: Provider) =>
  setup.engine(provider && { provider }).execute({ runId, generation: 0 });

const refusing: Provider = {
  ...offlineProvider(),
  stream: () => {
    throw new ProviderFault('refused', 'too long');
  },
  embed: () => Promise.reject(new ProviderFault('refused', 'too long')),
};

const conversation = {
  system: 'Be brief.',
  messages: [
    { role: 'assistant' as const, text: 'Which one?', toolCalls: [] },
    { role: 'user' as const, text: 'That one', images: [{ mediaType: 'image/png', data: 'AAAA' }] },
  ],
  tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object' } }],
  toolChoice: { name: 'add' },
};

describe('a run of a conversation', () => {
  const requests: ProviderRequest[] = [];
  const provider = aProvider(async function* (request) {
    requests.push(request);
    yield { toolCall: { id: 'of provider', name: 'add', input: { a: 1 }, metadata: { google: { signature: 's' } } } };
    yield { finishReason: 'tool_calls' };
    yield { usage: { input: 5, output: 2 } };
  });

  it('reaches the model as a whole, also when it is retried, and ends with the calls of tools', async () => {
    const { runId: first } = await aPromptRun(setup.ctx, { prompt: 'Count', conversation });
    expect(await execute(first, refusing)).toBe('failed');
    const { runId } = await retryRun(setup.ctx, { runId: first, from: 'start' });
    expect(await execute(runId, provider)).toBe('succeeded');
    expect(requests).toMatchObject([{ prompt: 'Count', ...conversation }]);
    const { artifacts, finishReason } = await setup.run(runId);
    expect(finishReason).toBe('tool_calls');
    expect(artifacts).toMatchObject([
      { artifactKind: 'text', contentText: '', isPrimaryOutput: true },
      { artifactKind: 'tool_log', contentJson: [{ id: 'of provider', name: 'add', input: { a: 1 } }] },
    ]);
  });
});

describe('a run of embeddings', () => {
  const accept = (more: object = {}) =>
    acceptEmbeddingRun(setup.ctx, { texts: ['one', 'two'], timeoutMs: 60_000, cause: { kind: 'test' }, ...more });
  const vectorsOf = async (runId: string): Promise<number[][]> => {
    const { artifacts } = await setup.run(runId);
    return (artifacts[0]?.contentJson as { embeddings: string[] }).embeddings.map(unpackVector);
  };

  it('has a vector for each text, of the length that was asked for', async () => {
    const [plain, short] = [await accept(), await accept({ dimensions: 8 })];
    for (const { runId } of [plain, short]) expect(await execute(runId)).toBe('succeeded');
    expect((await vectorsOf(plain.runId)).map(({ length }) => length)).toEqual([256, 256]);
    expect((await vectorsOf(short.runId)).map((vector) => Math.hypot(...vector))).toEqual([
      expect.closeTo(1, 5),
      expect.closeTo(1, 5),
    ]);
    const failed = await accept({ dimensions: 8 });
    expect(await execute(failed.runId, refusing)).toBe('failed');
    const again = await retryRun(setup.ctx, { runId: failed.runId, from: 'start' });
    expect(await execute(again.runId)).toBe('succeeded');
    expect(await vectorsOf(again.runId)).toEqual(await vectorsOf(short.runId));
  });

  it.each([
    ['is tried again', new ProviderFault('limited', 'too many'), 'retried'],
    ['fails', new ProviderFault('refused', 'too long'), 'failed'],
  ])('%s after a fault of the provider', async (_, fault, outcome) => {
    const { runId } = await accept();
    const provider = { ...offlineProvider(), embed: () => Promise.reject(fault) };
    expect(await execute(runId, provider)).toBe(outcome);
  });

  it('fails at a provider without embeddings', async () => {
    const { runId } = await accept();
    const { embed: _, ...provider } = offlineProvider();
    expect(await execute(runId, provider)).toBe('failed');
    expect((await setup.run(runId)).errorMessage).toContain('makes no embeddings');
  });
});
