import { byokProviders } from '@lensforge/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TokenUsage } from '@lensforge/models';
import { anthropicProvider } from '../../src/providers/anthropic.js';
import { googleProvider } from '../../src/providers/google.js';
import { openaiProvider } from '../../src/providers/openai.js';
import { outgoingFetch } from '../../src/providers/outgoing.js';
import type { Provider, ProviderFaultKind, ProviderPart, ProviderRequest } from '../../src/providers/provider.js';
import type { Fetch } from '../../src/providers/access.js';
import { type Protocol, type Trouble, protocols } from './protocols.js';
import {
  type ReceivedRequest,
  type Scene,
  type WireServer,
  aWireServer,
  answers,
  answersInChunks,
  cutsAfter,
  hangs,
  hangsAfter,
  neverEnds,
  refuses,
  stopsAfter,
} from './wire-server.js';

let server: WireServer;
beforeAll(async () => {
  server = await aWireServer();
});
afterAll(() => server.close());

const apiKey = 'sk-canary-0123456789abcdef';
const inside = { to: 'operators', allow: 'loopback' } as const;
const patient = outgoingFetch({ ...inside, firstByteMs: 20_000, idleMs: 20_000, maxBytes: 300_000 });
const hasty = outgoingFetch({ ...inside, firstByteMs: 300, idleMs: 300 });
const usage = { input: 12, output: 34 };
const pieces = ['Grüße ', 'an ', '👩‍🚀 ', '世界'];

const open = (protocol: Protocol, fetch = patient): Provider =>
  protocol.open({ apiKey, baseUrl: `${server.url}${protocol.base}`, fetch, fetchForUsers: fetch });

interface Outcome {
  text: string;
  parts: ProviderPart[];
  fault?: unknown;
}

interface CallOptions extends Partial<ProviderRequest> {
  signal?: AbortSignal;
  fetch?: Fetch;
}

async function call(protocol: Protocol, { signal, fetch, ...more }: CallOptions = {}): Promise<Outcome> {
  const parts: ProviderPart[] = [];
  const request = {
    model: 'some-model',
    prompt: 'Say hello',
    maxOutputTokens: 100,
    idempotencyKey: 'run:lens',
    ...more,
  };
  let fault: unknown;
  try {
    for await (const part of open(protocol, fetch).stream(request, signal ?? new AbortController().signal))
      parts.push(part);
  } catch (reason) {
    fault = reason;
  }
  return { text: parts.map((part) => ('delta' in part ? part.delta : '')).join(''), parts, fault };
}

const usageIn = ({ parts }: Outcome) => parts.flatMap((part) => ('usage' in part ? [part.usage] : []));

interface Case {
  fault: string;
  scene: (protocol: Protocol) => Scene;
  kind: ProviderFaultKind;
  hasty?: boolean;
  /** True when a part of the answer comes first. */
  begun?: boolean;
  retryAfterMs?: number;
}

const trouble =
  (what: Trouble, headers?: Record<string, string>) =>
  (protocol: Protocol): Scene => {
    const { status, body } = protocol.trouble(what);
    return refuses(status, body, headers);
  };

interface ReportedUsage {
  reported: Record<string, unknown>;
  counted: TokenUsage;
}

/** The members of a body that say how to choose words. OpenAI's Responses API has no seed and no texts that end an answer. */
const knownSampling: Record<string, object> = {
  openai: { reasoning: { effort: 'low' }, text: { verbosity: 'low' } },
  'openai-compatible': { top_p: 0.75, stop: ['END'], seed: 1234, reasoning_effort: 'low' },
  anthropic: { top_p: 0.75, stop_sequences: ['END'], output_config: { effort: 'low' } },
  google: {
    generationConfig: { topP: 0.75, stopSequences: ['END'], seed: 1234, thinkingConfig: { thinkingLevel: 'low' } },
    safetySettings: expect.arrayContaining([
      { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' },
    ]) as object,
  },
};

/** Usage in the documented forms: OpenAI counts cached tokens within the input, Anthropic beside it, Google counts thoughts apart. */
const reportedUsages: Record<string, ReportedUsage[]> = {
  openai: [
    {
      reported: {
        input_tokens: 2006,
        input_tokens_details: { cached_tokens: 1920 },
        output_tokens: 300,
        output_tokens_details: { reasoning_tokens: 128 },
        total_tokens: 2306,
      },
      counted: { input: 2006, output: 300, cachedInput: 1920, cacheWrite: 0, reasoning: 128 },
    },
    {
      reported: {
        input_tokens: 2006,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 1920 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2011,
      },
      counted: { input: 2006, output: 5, cachedInput: 0, cacheWrite: 1920, reasoning: 0 },
    },
  ],
  'openai-compatible': [
    {
      reported: {
        prompt_tokens: 2006,
        completion_tokens: 300,
        total_tokens: 2306,
        prompt_tokens_details: { cached_tokens: 1920 },
        completion_tokens_details: { reasoning_tokens: 128 },
      },
      counted: { input: 2006, output: 300, cachedInput: 1920, cacheWrite: 0, reasoning: 128 },
    },
    {
      // A server that counts more cached tokens than there were in the input.
      reported: { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 99 } },
      counted: { input: 10, output: 3, cachedInput: 10, cacheWrite: 0, reasoning: 0 },
    },
  ],
  anthropic: [
    {
      reported: {
        input_tokens: 50,
        cache_creation_input_tokens: 248,
        cache_read_input_tokens: 1800,
        cache_creation: { ephemeral_5m_input_tokens: 248, ephemeral_1h_input_tokens: 0 },
        output_tokens: 503,
      },
      counted: { input: 2098, output: 503, cachedInput: 1800, cacheWrite: 248, reasoning: 0 },
    },
  ],
  google: [
    {
      reported: {
        promptTokenCount: 2152,
        cachedContentTokenCount: 2027,
        candidatesTokenCount: 17,
        thoughtsTokenCount: 80,
        totalTokenCount: 2249,
      },
      counted: { input: 2152, output: 97, cachedInput: 2027, cacheWrite: 0, reasoning: 80 },
    },
  ],
};

const some = (protocol: Protocol): string[] => {
  const frames = protocol.frames({ pieces, usage });
  return frames.slice(0, frames.findIndex((frame) => frame.includes('Grü')) + 1);
};

const cases: Case[] = [
  {
    fault: '429, after seconds',
    scene: trouble('limited', { 'retry-after': '3' }),
    kind: 'limited',
    retryAfterMs: 3000,
  },
  { fault: '402 or a spent quota', scene: trouble('unpaid'), kind: 'unpaid' },
  { fault: '402 with nothing to read', scene: () => refuses(402, '<html>pay</html>'), kind: 'unpaid' },
  { fault: '401', scene: trouble('unauthorized'), kind: 'unauthorized' },
  { fault: '400', scene: trouble('refused'), kind: 'refused' },
  { fault: 'a filtered prompt', scene: trouble('filtered'), kind: 'filtered' },
  { fault: 'an unknown model', scene: trouble('missing'), kind: 'broken' },
  { fault: 'being overloaded', scene: trouble('unavailable'), kind: 'unavailable' },
  { fault: '500 with nothing to read', scene: () => refuses(500, 'oops'), kind: 'unavailable' },
  { fault: 'a redirect', scene: () => refuses(302, '', { location: 'http://127.0.0.1:1/' }), kind: 'broken' },
  { fault: 'an HTML page instead of an answer', scene: () => answers(['<html>hello</html>']), kind: 'unavailable' },
  { fault: 'an end before the answer', scene: () => answers([]), kind: 'unavailable' },
  { fault: 'a cut before the answer', scene: () => (response) => void response.socket?.destroy(), kind: 'unavailable' },
  {
    fault: 'a cut in the middle of a token',
    scene: (protocol) => cutsAfter([...some(protocol), protocol.frames({ pieces })[2] ?? '']),
    kind: 'unavailable',
    begun: true,
  },
  {
    fault: 'an end in the middle of an answer',
    scene: (protocol) => stopsAfter(some(protocol)),
    kind: 'unavailable',
    begun: true,
  },
  { fault: 'silence before the answer', scene: () => hangs(), kind: 'unavailable', hasty: true },
  {
    fault: 'silence within the answer',
    scene: (protocol) => hangsAfter(some(protocol)),
    hasty: true,
    kind: 'unavailable',
    begun: true,
  },
  {
    fault: 'an error within the answer',
    scene: (protocol) => answers([...some(protocol), protocol.errorFrame]),
    kind: 'unavailable',
    begun: true,
  },
  {
    fault: 'a frame that cannot be read',
    scene: (protocol) => answers([...some(protocol), protocol.brokenFrame]),
    kind: 'broken',
    begun: true,
  },
  {
    fault: 'a filtered answer',
    scene: (protocol) => answers(protocol.frames({ pieces, usage, filtered: true })),
    kind: 'filtered',
    begun: true,
  },
  {
    fault: 'an answer without end',
    scene: (protocol) => neverEnds(some(protocol), some(protocol).at(-1) ?? ''),
    kind: 'broken',
    begun: true,
  },
];

it('each provider for which users bring keys has a protocol here', () => {
  expect(protocols.map(({ key }) => key).sort()).toEqual([...byokProviders].sort());
});

describe.each(protocols)('the provider $key', (protocol) => {
  it('streams an answer with its usage, and sends key, model and prompt', async () => {
    server.play(
      answers(protocol.frames({ pieces, usage }), {
        'x-ratelimit-remaining-requests': '7',
        'x-ratelimit-reset-requests': '2s',
      }),
    );
    const outcome = await call(protocol);
    expect(outcome).toMatchObject({ text: pieces.join(''), fault: undefined });
    expect(outcome.parts.filter((part) => 'delta' in part && part.delta !== '')).toHaveLength(pieces.length);
    expect(usageIn(outcome)).toEqual([usage]);
    expect(outcome.parts[0]).toMatchObject({ rates: { requests: { remaining: 7, resetMs: 2000 } } });
    const { path, headers, body } = server.received[0] as ReceivedRequest;
    expect(server.received).toHaveLength(1);
    expect(path).toMatch(protocol.path);
    expect(protocol.keyIn(headers)).toContain(apiKey);
    expect(headers['idempotency-key']).toBe('run:lens');
    expect(JSON.stringify(body)).toContain('Say hello');
    expect(JSON.stringify(body)).toContain('100');
  });

  it('joins split characters and frames', async () => {
    server.play(answersInChunks(protocol.frames({ pieces, usage })));
    expect(await call(protocol)).toMatchObject({ text: pieces.join(''), fault: undefined });
  });

  it('streams an answer without usage', async () => {
    server.play(answers(protocol.frames({ pieces })));
    const outcome = await call(protocol);
    expect(outcome).toMatchObject({ text: pieces.join(''), fault: undefined });
    for (const { input, output } of usageIn(outcome)) expect([input, output]).toEqual([0, 0]);
  });

  it('says why the answer has ended', async () => {
    const tools = [{ id: 'call_1', name: 'weather', input: { city: 'Bonn' } }];
    const reasons: unknown[] = [];
    for (const how of [{}, { cutOff: true }, { tools }]) {
      server.play(answers(protocol.frames({ pieces, usage, ...how })));
      const { parts } = await call(protocol);
      reasons.push(...parts.flatMap((part) => ('finishReason' in part ? [part.finishReason] : [])));
    }
    expect(reasons).toEqual(['stop', 'length', 'tool_calls']);
  });

  it('counts the tokens of each kind as the provider bills them', async () => {
    for (const { reported, counted } of reportedUsages[protocol.key] ?? []) {
      server.play(answers(protocol.frames({ pieces, reported })));
      expect(usageIn(await call(protocol))).toEqual([counted]);
    }
  });

  it('sends a prefix in a way that lets the provider cache it', async () => {
    const prefix = { length: 6, key: 'key-of-the-prefix', isRepeated: true };
    server.play(...[1, 2, 3].map(() => answers(protocol.frames({ pieces, usage }))));
    await call(protocol, { prompt: 'Rules Ada', prefix });
    await call(protocol, { prompt: 'Rules Ada', prefix: { ...prefix, isRepeated: false } });
    await call(protocol, { prompt: 'Rules ', prefix });
    const [repeated, first, whole] = server.received.map(({ body }) => JSON.stringify(body));
    const marked = '{"type":"text","text":"Rules ","cache_control":{"type":"ephemeral"}}';
    if (protocol.key === 'anthropic') {
      expect(repeated).toContain(`[${marked},{"type":"text","text":"Ada"}]`);
      expect(first).toContain('[{"type":"text","text":"Rules Ada"}]');
      expect(whole).toContain(`[${marked}]`);
      return;
    }
    expect(repeated).toContain('"Rules Ada"');
    expect(repeated).toBe(first);
    expect(first?.includes('"prompt_cache_key":"key-of-the-prefix"')).toBe(protocol.key === 'openai');
  });

  it('marks the conversation of an agent for the cache of a provider that needs it', async () => {
    const tools = [{ name: 'weather', description: 'The weather of a city', inputSchema: { type: 'object' } }];
    const ofCall = { callId: 'call_1', name: 'weather', text: 'Rain.', isError: false };
    const toolCalls = [{ id: 'call_1', name: 'weather', input: { city: 'Bonn' } }];
    const messages = [
      { role: 'assistant' as const, text: '', toolCalls },
      { role: 'tool' as const, results: [ofCall] },
    ];
    server.play(answers(protocol.frames({ pieces, usage })), answers(protocol.frames({ pieces, usage })));
    const request = { system: 'Be kind.', prompt: 'How is it?', tools };
    await call(protocol, request);
    await call(protocol, { ...request, messages });
    const marks = server.received.map(({ body }) => JSON.stringify(body).split('"cache_control"').length - 1);
    expect(marks).toEqual(protocol.key === 'anthropic' ? [2, 2] : [0, 0]);
    if (protocol.key !== 'anthropic') return;
    const [, second] = server.received.map(({ body }) => body as { messages: { content: object[] }[] });
    expect(second?.messages.at(-1)?.content.at(-1)).toMatchObject({
      type: 'tool_result',
      cache_control: { type: 'ephemeral' },
    });
  });

  it('passes the roles of a conversation on, and images with their messages', async () => {
    server.play(answers(protocol.frames({ pieces, usage })));
    const { text } = await call(protocol, {
      system: 'Be kind.',
      prompt: 'One',
      messages: [
        { role: 'assistant', text: 'Two', toolCalls: [] },
        { role: 'user', text: 'Three', images: [{ mediaType: 'image/png', data: 'aGFsbG8=' }] },
      ],
      images: [{ mediaType: 'image/png', data: 'd2VsdA==' }],
    });
    expect(text).toBe(pieces.join(''));
    const { system, instructions, systemInstruction, ...body } = server.received[0]?.body as Record<string, unknown>;
    const turns = (body['messages'] ?? body['input'] ?? body['contents']) as object[];
    const instructed = system ?? instructions ?? systemInstruction ?? turns[0];
    expect(JSON.stringify(instructed)).toContain('Be kind.');
    const [one, two, three] = turns.slice(-3).map((turn) => JSON.stringify(turn));
    for (const user of [one, three]) expect(user).toContain('"role":"user"');
    expect(two).toMatch(/"role":"(assistant|model)"/);
    expect(one).toContain('One');
    expect(two).toContain('Two');
    expect(three).toContain('Three');
    for (const [turn, data] of [
      [one, 'd2VsdA=='],
      [three, 'aGFsbG8='],
    ])
      expect(turn?.match(/d2VsdA==|aGFsbG8=/g)).toEqual([data]);
  });

  it('tells it everything about the choice of words that it knows', async () => {
    server.play(answers(protocol.frames({ pieces, usage })));
    const sampling = { topP: 0.75, stop: ['END'], seed: 1234, reasoningEffort: 'low' as const };
    const settings = { openai: { textVerbosity: 'low' as const }, google: { safetyThreshold: 'BLOCK_NONE' as const } };
    const model = protocol.key === 'openai' ? 'gpt-6-sol' : 'some-model';
    expect(await call(protocol, { model, sampling, settings })).toMatchObject({ fault: undefined });
    expect(server.received[0]?.body).toMatchObject(knownSampling[protocol.key] ?? {});
  });

  it('passes images, a schema and a temperature on', async () => {
    server.play(answers(protocol.frames({ pieces: ['{"a":', '1}'], usage })));
    const schema = { type: 'object', properties: { canary: { type: 'integer' } } };
    const images = [{ mediaType: 'image/png', data: 'aGFsbG8=' }];
    expect(await call(protocol, { outputSchema: schema, images, sampling: { temperature: 0.25 } })).toMatchObject({
      text: '{"a":1}',
    });
    const sent = JSON.stringify(server.received[0]?.body);
    expect(sent).toContain('canary');
    expect(sent).toContain('aGFsbG8=');
    expect(sent).toContain('0.25');
  });

  it('reports tool calls of one answer with their arguments as they arrive', async () => {
    const tools = [
      { id: 'call_1', name: 'weather', input: { city: 'Bonn' } },
      { id: 'call_2', name: 'time', input: { zone: 'Europe/Berlin' } },
    ];
    server.play(answers(protocol.frames({ pieces, usage, tools })));
    const { parts, fault } = await call(protocol);
    expect(fault).toBeUndefined();
    const calls = parts.flatMap((part) => ('toolCall' in part ? [part.toolCall] : []));
    expect(calls).toMatchObject(tools.map(({ name, input }) => ({ name, input })));
    const inputs = parts.flatMap((part) => ('toolInput' in part ? [part.toolInput] : []));
    const streamed = calls.map(({ id, name }) =>
      inputs.flatMap((piece) => (piece.id === id && piece.name === name ? [piece.text] : [])).join(''),
    );
    expect(streamed).toEqual(tools.map(({ input }) => JSON.stringify(input)));
  });

  it('passes instructions, tools and the conversation on, and performs no tool itself', async () => {
    const tool = { id: 'call_2', name: 'weather', input: { city: 'Rome' } };
    server.play(answers(protocol.frames({ pieces, usage, tools: [tool] })));
    const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const { parts, fault } = await call(protocol, {
      system: 'instruction-canary',
      tools: [{ name: 'weather', description: 'tool-canary', inputSchema }],
      messages: [
        {
          role: 'assistant',
          text: 'thought-canary',
          toolCalls: [{ id: 'call_1', name: 'weather', input: { city: 'Bonn' } }],
        },
        { role: 'tool', results: [{ callId: 'call_1', name: 'weather', text: 'result-canary', isError: false }] },
        { role: 'user', text: 'user-canary' },
      ],
    });
    expect(fault).toBeUndefined();
    expect(server.received).toHaveLength(1);
    const sent = JSON.stringify(server.received[0]?.body);
    const order = ['thought-canary', 'Bonn', 'result-canary', 'user-canary'].map((each) => sent.indexOf(each));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(sent).toContain('instruction-canary');
    expect(sent).toContain('tool-canary');
    const calls = parts.flatMap((part) => ('toolCall' in part ? [part.toolCall] : []));
    expect(calls).toMatchObject([{ name: 'weather', input: { city: 'Rome' } }]);
    expect(calls[0]).not.toHaveProperty('output');
  });

  it('uses the key of a request instead of its own', async () => {
    server.play(answers(protocol.frames({ pieces, usage })));
    await call(protocol, { apiKey: 'of-my-own' });
    expect(protocol.keyIn(server.received[0]?.headers ?? {})).toContain('of-my-own');
  });

  it.each(cases)(
    'maps $fault to a fault after one call',
    async ({ scene, kind, begun = false, retryAfterMs, ...options }) => {
      server.play(scene(protocol));
      const { fault, text } = await call(protocol, options.hasty ? { fetch: hasty } : {});
      expect(fault).toMatchObject({ name: 'ProviderFault', ...(retryAfterMs !== undefined && { retryAfterMs }) });
      const { kind: seen, message } = fault as { kind: string; message: string };
      expect(seen).toBe(kind);
      expect(text !== '').toBe(begun);
      expect(message).not.toContain('canary');
      expect(message).not.toContain('127.0.0.1');
      expect(server.received.length).toBe(1);
    },
  );

  it('reads a date in Retry-After', async () => {
    const { status, body } = protocol.trouble('limited');
    server.play(refuses(status, body, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }));
    const { fault } = await call(protocol);
    const { retryAfterMs = 0 } = fault as { retryAfterMs?: number };
    expect(retryAfterMs).toBeGreaterThan(30_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it('closes the connection when the run is stopped', async () => {
    let hungUp: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (hungUp = resolve));
    server.play((response) => {
      response.on('close', hungUp);
      return hangsAfter(some(protocol))(response);
    });
    const stop = new AbortController();
    const waiting = call(protocol, { signal: stop.signal });
    while (server.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error('stopped'));
    expect((await waiting).fault).toMatchObject({ message: 'stopped' });
    await closed;
  });
});

const asking = async (provider: Provider, more: Partial<ProviderRequest> = {}): Promise<void> => {
  const request = { model: 'm', prompt: 'x', maxOutputTokens: 1, idempotencyKey: 'x', ...more };
  for await (const _ of provider.stream(request, new AbortController().signal));
};
const refused = { kind: 'broken', message: expect.stringContaining('this platform may not call its address') };

it('a provider calls no private network unless it is allowed', async () => {
  server.play(answers([]));
  const elsewhere = { to: 'operators', allow: '10.0.0.0/8', firstByteMs: 400, idleMs: 400 } as const;
  for (const allow of ['', '10.0.0.0/8']) {
    const fetch = outgoingFetch({ ...elsewhere, allow });
    for (const protocol of protocols) await expect(asking(open(protocol, fetch))).rejects.toMatchObject(refused);
  }
  const [protocol] = protocols as readonly [Protocol];
  const overThePublicNet = { baseUrl: 'http://93.184.215.14/v1', fetch: outgoingFetch(elsewhere) };
  await expect(asking(protocol.open({ apiKey, ...overThePublicNet, fetchForUsers: hasty }))).rejects.toMatchObject(
    refused,
  );
  expect(server.received).toEqual([]);
});

describe('an endpoint of a user', () => {
  const compatible = protocols.find(({ key }) => key === 'openai-compatible') as Protocol;
  const own = (to: Fetch): Provider =>
    compatible.open({ apiKey, baseUrl: 'https://models.invalid/v1', fetch: hasty, fetchForUsers: to });

  it('is called with the key of the user and never with the key of the platform', async () => {
    server.play(answers(compatible.frames({ pieces, usage })));
    await asking(own(patient), { apiKey: 'of-my-own', baseUrl: `${server.url}/mine/v1` });
    await asking(own(patient), { baseUrl: `${server.url}/mine/v1` });
    expect(server.received.map(({ path }) => path)).toEqual(['/mine/v1/chat/completions', '/mine/v1/chat/completions']);
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer of-my-own', undefined]);
  });

  it('is refused by providers with a fixed address', async () => {
    for (const provider of [openaiProvider, anthropicProvider, googleProvider]) {
      const asked = asking(provider({ apiKey, fetch: patient }), { apiKey: 'x', baseUrl: server.url });
      await expect(asked).rejects.toMatchObject({
        kind: 'broken',
        message: 'it cannot be called at another base URL',
      });
    }
  });

  it.each([
    ['in plain http', 'http://example.com/v1', ''],
    ['at another port', 'https://example.com:11434/v1', ''],
    ['at a port of an internal service', 'https://example.com:6379/v1', ''],
    ['of metadata, in a network that was opened', 'https://169.254.169.254/v1', '169.254.0.0/16'],
    ['in plain http, in a network that was opened', 'http://127.0.0.1/v1', 'loopback'],
  ])('is not called %s', async (_, baseUrl, allow) => {
    const provider = own(outgoingFetch({ to: 'users', allow, firstByteMs: 400, idleMs: 400 }));
    await expect(asking(provider, { apiKey: 'of-my-own', baseUrl })).rejects.toMatchObject(refused);
  });

  it('is called in a network that an operator has allowed', async () => {
    const provider = own(outgoingFetch({ to: 'users', allow: 'loopback', firstByteMs: 400, idleMs: 400 }));
    const outcome = asking(provider, { apiKey: 'of-my-own', baseUrl: 'https://127.0.0.1/v1' });
    await expect(outcome).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
