import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallMode, CallPolicy } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { exportRecording, importRecording, readRecording } from '@lensforge/evaluation';
import { ProviderFault } from '../src/providers/provider.js';
import { offlineProvider } from '../src/providers/offline.js';
import { type AgentSetup, anAgentSetup, pricedModel } from './agent-setup.js';
import { type EngineSetup, anEngineSetup } from './engine-setup.js';
import { aRegisteredServer } from './mcp/mcp-setup.js';

const secret = 'sk-proj-0123456789abcdefghij';

let setup: AgentSetup;
let server: Server;
let address: string;
let answers: { status: number; body: string }[];
const asked: { request: IncomingMessage; body: string }[] = [];
const toolCalls: unknown[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ request, body });
      const { status, body: said } = answers.shift() ?? { status: 200, body: '{"stock":3}' };
      response.writeHead(status, { 'content-type': 'application/json', 'set-cookie': 'session=abc' });
      response.end(said);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  setup = await anAgentSetup({
    externalTools: {
      list: () =>
        Promise.resolve([
          {
            toolId: 'mcp:shop/look',
            name: 'look',
            description: 'A tool.',
            inputSchema: { type: 'object' },
            idempotent: true,
          },
        ]),
      call: (_, __, input) => {
        toolCalls.push(input);
        return Promise.resolve({ text: `seen ${toolCalls.length}; Bearer ${secret}`, isError: false });
      },
    },
  });
  await aRegisteredServer(setup.ctx, 'shop', ['look']);
  await setup.giveCredits(1_000_000);
});
afterAll(async () => {
  server.close();
  await setup.close();
});
beforeEach(() => {
  answers = [];
  asked.length = 0;
  toolCalls.length = 0;
  setup.requests.length = 0;
});

let count = 0;
const aRecording = async (): Promise<string> =>
  (await importRecording(setup.ctx, { name: `r${(count += 1)}`, content: '{"recording":"lensforge","version":1}' })).id;

const causeOf = (mode: CallMode, recordingId: string, more: Partial<CallPolicy> = {}) => ({
  kind: 'experiment',
  experimentId: newId(),
  calls: { mode, recordingId, repetition: 1, ...more },
});

async function fileOf(recordingId: string): Promise<string> {
  let file = '';
  for await (const line of await exportRecording(setup.ctx, recordingId)) file += line;
  return file;
}

/** An address, an agent that calls tools, and a lens, one after another. */
async function aGraph(prompt = 'Do your work.'): Promise<object> {
  const script = [
    {
      calls: [
        { name: 'mcp_shop_look', input: { at: 'shelf' } },
        { name: 'create_lens', input: lensInput },
      ],
    },
    { calls: [{ name: 'get_lens', input: { lens_id: '{{1.id}}' } }] },
    { say: 'Done with {{2.title}}.' },
  ];
  const { handle } = await setup.anAgent({ script, tools: ['mcp:shop/look', 'create_lens', 'get_lens'] });
  return {
    nodes: [
      {
        id: 'stock',
        type: 'http',
        settings: {
          method: 'POST',
          url: `${address}/stock?api_key=${secret}`,
          headers: { authorization: `Bearer ${secret}` },
          body: { sku: 1 },
        },
      },
      { id: 'work', type: 'agent', settings: { agent: handle, prompt, model: pricedModel } },
      {
        id: 'last',
        type: 'lens',
        settings: { lensId: setup.lensId, params: { Prompt: { $: 'nodes.work.output.text' } }, model: pricedModel },
      },
    ],
    edges: [
      { from: 'stock', to: 'work' },
      { from: 'work', to: 'last' },
    ],
  };
}

const lensInput = {
  title: 'A recorded lens',
  template_body: 'Greet the reader of this text in one friendly sentence.',
};

const lenses = async (): Promise<number> => {
  const [row] = await setup.source.query<[{ count: number }]>('select count(*)::int as count from lenses');
  return row.count;
};

const outputsOf = async (runId: string) =>
  Object.fromEntries(Object.entries(await setup.nodes(runId)).map(([key, { output }]) => [key, output]));

describe('a recorded workflow with an address, an agent, tools and a lens', () => {
  it('is replayed without any call, at no cost, with equal outputs', async () => {
    const recordingId = await aRecording();
    const graph = await aGraph();
    const live = await setup.run(graph, { cause: causeOf('record', recordingId) });
    expect(live.status).toBe('succeeded');
    expect([asked.length, toolCalls.length]).toEqual([1, 1]);
    expect(live.creditCost).toBeGreaterThan(0);
    const before = { lenses: await lenses(), balance: await setup.balance() };
    setup.requests.length = 0;

    const replayed = await setup.run(graph, { cause: causeOf('replay', recordingId) });
    expect(replayed.status).toBe('succeeded');
    expect(await outputsOf(replayed.id)).toEqual(await outputsOf(live.id));
    expect([asked.length, toolCalls.length, setup.requests.length]).toEqual([1, 1, 0]);
    expect({ lenses: await lenses(), balance: await setup.balance() }).toEqual(before);
    expect(replayed.creditCost).toBe(0);
  });

  it('is a file without secrets whose lines do not depend on when calls were made', async () => {
    const recordingId = await aRecording();
    const graph = await aGraph();
    await setup.run(graph, { cause: causeOf('record', recordingId) });
    const file = await fileOf(recordingId);
    expect(file).not.toContain(secret);
    expect(file).not.toContain('session=abc');
    expect(asked[0]?.request.headers.authorization).toBe(`Bearer ${secret}`);
    const kinds = file
      .split('\n')
      .slice(1, -1)
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual(['http', 'model', 'model', 'model', 'model', 'tool', 'tool', 'tool']);
    const copy = await importRecording(setup.ctx, { name: 'copy', content: file });
    expect(await fileOf(copy.id)).toBe(file);
    const replayed = await setup.run(graph, { cause: causeOf('replay', copy.id) });
    expect(replayed.status).toBe('succeeded');
  });

  it('fails closed when its prompt has changed, with the first difference', async () => {
    const recordingId = await aRecording();
    const graph = await aGraph('Do your work with care.');
    await setup.run(graph, { cause: causeOf('record', recordingId) });
    const changed = JSON.parse(JSON.stringify(graph).replace('with care.', 'with haste.')) as object;
    setup.requests.length = 0;
    const run = await setup.run(changed, { cause: causeOf('replay', recordingId) });
    expect(run.status).toBe('failed');
    const { work } = await setup.nodes(run.id);
    expect(work?.error?.code).toBe('NOT_RECORDED');
    expect(work?.error?.message).toMatch(
      /differs first in prompt: in line \d+ it has ".*with care.*", and the run asks ".*with haste/,
    );
    expect([setup.requests.length, toolCalls.length]).toEqual([0, 1]);
  });

  it('fails closed when an address is asked for something else, and does not call it', async () => {
    const recordingId = await aRecording();
    const graph = await aGraph();
    await setup.run(graph, { cause: causeOf('record', recordingId) });
    const changed = JSON.parse(JSON.stringify(graph).replace('"sku":1', '"sku":2')) as object;
    const run = await setup.run(changed, { cause: causeOf('replay', recordingId) });
    expect((await setup.nodes(run.id))['stock']?.error).toMatchObject({
      code: 'NOT_RECORDED',
      message: expect.stringContaining('differs first in body.sku: it has 1, and the run asks 2'),
    });
    expect(asked).toHaveLength(1);
  });

  it('keeps no answer of a server that was busy, so that the repeat gets another one', async () => {
    answers = [{ status: 503, body: '{}' }];
    const recordingId = await aRecording();
    const nodes = [
      { id: 'once', type: 'http', settings: { url: `${address}/once` }, retry: { attempts: 3, delaySeconds: 1 } },
    ];
    const run = await setup.run({ nodes, edges: [] }, { cause: causeOf('record', recordingId) });
    expect([run.status, asked.length]).toEqual(['succeeded', 2]);
    expect((await readRecording(setup.ctx, recordingId)).calls).toBe(1);
  });
});

describe('a lens run', () => {
  let lens: EngineSetup;
  beforeAll(async () => {
    lens = await anEngineSetup();
  });
  afterAll(() => lens.close());

  /** A provider that says how often it was asked. */
  function counting() {
    let calls = 0;
    const provider = {
      ...offlineProvider(),
      async *stream() {
        calls += 1;
        yield { delta: `answer ${calls}` };
        yield { usage: { input: 5, output: 5 } };
      },
    };
    return { provider, calls: () => calls };
  }

  const recordingOf = async (): Promise<string> =>
    (await importRecording(lens.ctx, { name: `l${(count += 1)}`, content: '{"recording":"lensforge","version":1}' }))
      .id;

  const execute = async (provider: ReturnType<typeof counting>['provider'], cause: object, prompt = 'Say it') => {
    const runId = await lens.accept(prompt, { cause });
    await lens.engine({ provider }).execute({ runId, generation: 0 });
    const run = await lens.run(runId);
    return { ...run, text: run.artifacts[0]?.contentText, events: await lens.events(runId) };
  };

  it('gets an earlier answer of the account to the same request, which says so and uses no tokens', async () => {
    const { provider, calls } = counting();
    const recordingId = await recordingOf();
    const first = await execute(provider, causeOf('read', recordingId, { maxAgeMs: 60_000 }));
    const second = await execute(provider, causeOf('read', recordingId, { maxAgeMs: 60_000 }));
    const other = await execute(provider, causeOf('read', recordingId, { maxAgeMs: 60_000 }), 'Say another thing');
    expect([first.text, second.text, other.text, calls()]).toEqual(['answer 1', 'answer 1', 'answer 2', 2]);
    expect(second).toMatchObject({ tokenInput: 0, tokenOutput: 0 });
    expect(second.events.find(({ eventType }) => eventType === 'log')?.payload).toMatchObject({
      level: 'info',
      message: expect.stringContaining('costs nothing'),
      members: { recordedAt: expect.any(String) },
    });
    expect(first.events.some(({ eventType }) => eventType === 'log')).toBe(false);
  });

  it('asks again when the earlier answer is too old, and for another repetition', async () => {
    const { provider, calls } = counting();
    const recordingId = await recordingOf();
    await execute(provider, causeOf('read', recordingId, { maxAgeMs: 60_000 }));
    await lens.ctx.db.query(
      `update recorded_calls set created_at = now() - interval '2 minutes' where recording_id = $1`,
      [recordingId],
    );
    expect((await execute(provider, causeOf('read', recordingId, { maxAgeMs: 60_000 }))).text).toBe('answer 2');
    expect((await execute(provider, causeOf('read', recordingId, { maxAgeMs: 60_000 }))).text).toBe('answer 2');
    expect((await execute(provider, causeOf('read', recordingId, { maxAgeMs: 60_000, repetition: 2 }))).text).toBe(
      'answer 3',
    );
    expect(calls()).toBe(3);
  });

  it('shares the first of several answers to the same request while it records', async () => {
    const { provider } = counting();
    const recordingId = await recordingOf();
    const runs = await Promise.all(Array.from({ length: 5 }, () => execute(provider, causeOf('record', recordingId))));
    expect(new Set(runs.map(({ text }) => text)).size).toBe(1);
    const streamed = runs.map(({ events }) =>
      events
        .flatMap(({ eventType, payload }) =>
          eventType === 'node.output.delta' ? [(payload as { text: string }).text] : [],
        )
        .join(''),
    );
    expect(new Set([...streamed, runs[0]?.text]).size).toBe(1);
  });

  it('pays for the answer that a lost attempt of it has recorded, and for none of another run', async () => {
    const { provider, calls } = counting();
    const recordingId = await recordingOf();
    await execute(provider, causeOf('record', recordingId));
    const other = await execute(provider, causeOf('record', recordingId));
    expect([other.tokenInput, other.tokenOutput]).toEqual([0, 0]);
    const runId = await lens.accept('Say it', { cause: causeOf('record', recordingId) });
    // As if a worker had been lost between this answer and the end of the run.
    await lens.ctx.db.query(
      `update recorded_calls set receipt = receipt || jsonb_build_object('madeBy', $2::text) where recording_id = $1`,
      [recordingId, `${runId}:lens`],
    );
    await lens.engine({ provider }).execute({ runId, generation: 0 });
    expect(await lens.run(runId)).toMatchObject({ status: 'succeeded', tokenInput: 5, tokenOutput: 5 });
    expect((await lens.events(runId)).some(({ eventType }) => eventType === 'log')).toBe(false);
    expect(calls()).toBe(1);
  });

  it('keeps nothing of a request that failed', async () => {
    const recordingId = await recordingOf();
    const failing = {
      ...offlineProvider(),
      stream: () => {
        throw new ProviderFault('refused', 'no');
      },
    };
    const run = await execute(failing, causeOf('record', recordingId));
    expect(run).toMatchObject({ status: 'failed', errorCode: 'PROVIDER_REFUSED' });
    expect((await readRecording(lens.ctx, recordingId)).calls).toBe(0);
  });

  it('is replayed on a platform that does not offer its model', async () => {
    const recordingId = await recordingOf();
    const cause = causeOf('replay', recordingId);
    const line = {
      kind: 'model',
      place: '',
      repetition: 1,
      request: { model: 'openai/gpt-6-sol', prompt: 'Say it' },
      response: { text: 'From the file', toolCalls: [] },
    };
    const { id } = await importRecording(lens.ctx, {
      name: 'of another platform',
      content: `{"recording":"lensforge","version":1}\n${JSON.stringify(line)}`,
    });
    await expect(lens.accept('Say it', { cause: undefined, modelOverride: 'openai/gpt-6-sol' })).rejects.toThrow();
    const runId = await lens.accept('Say it', {
      cause: { ...cause, calls: { ...cause.calls, recordingId: id } },
      modelOverride: 'openai/gpt-6-sol',
    });
    await lens.engine().execute({ runId, generation: 0 });
    const run = await lens.run(runId);
    expect([run.status, run.artifacts[0]?.contentText, run.creditCost]).toEqual(['succeeded', 'From the file', 0]);
  });
});
