import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLensforge } from '@lensforge/ai-provider';
import OpenAI, { APIError } from 'openai';
import { until } from '@lensforge/testing';
import { TestPlatform } from './test-platform.js';

let setup: TestPlatform;
let base: string;
let client: OpenAI;

beforeAll(async () => {
  setup = await TestPlatform.open({ allInOne: true });
  base = `${setup.platform.urlOf('api-gateway')}/openai/v1`;
  client = new OpenAI({ baseURL: base, apiKey: setup.token, maxRetries: 0 });
});
afterAll(() => setup.close());

const model = 'offline/echo';
const echo = (text: string): string => `Echo of the offline provider; no model was asked. The prompt was: ${text}`;
const user = (content: string) => ({ role: 'user' as const, content });

async function aLens(request: Record<string, unknown>): Promise<{ id: string; name: string }> {
  const { status, body } = await setup.call('POST', '/v1/lenses', { body: request });
  expect([status, body.error]).toEqual([201, null]);
  const id = String(body.data?.['id']);
  return { id, name: `${setup.platform.users[0]?.handle}/${id}` };
}

const chargesOf = async (runId: string): Promise<number> => {
  const [{ count }] = await setup.db.query<[{ count: number }]>(
    `select count(*)::int as count from run_events where run_id = $1 and type = 'run.succeeded'`,
    [runId],
  );
  return count;
};

/** The id of a new workflow that answers with its input. */
async function aSayingWorkflow(): Promise<string> {
  const graph = {
    inputs: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    nodes: [{ id: 'say', type: 'transform', settings: { expression: 'inputs.text' } }],
    edges: [],
    outputs: { said: 'nodes.say.output' },
  };
  const { body } = await setup.call('POST', '/v1/workflows', { body: { title: 'Say', graph } });
  expect(body.error).toBeNull();
  return String(body.data?.['id']);
}

describe('the client of OpenAI', () => {
  it('gets an answer of a model, whose id is that of the run', async () => {
    const { data, response } = await client.chat.completions
      .create({
        model,
        messages: [{ role: 'system', content: 'Be brief.' }, user('Hello')],
        safety_identifier: 'a user',
      })
      .withResponse();
    expect(data).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: echo('Hello') } }],
    });
    expect(data.usage?.total_tokens).toBeGreaterThan(0);
    expect(response.headers.get('ratelimit-limit')).not.toBeNull();
    const run = await setup.call('GET', `/v1/runs/${data.id}`);
    expect(run.body.data).toMatchObject({ kind: 'prompt', status: 'succeeded', origin: 'caller' });
    const again = await client.chat.completions.retrieve(data.id);
    expect(again.choices).toEqual(data.choices);
  });

  it('streams an answer with its use', async () => {
    const prompt = '@offline {"pieces":50,"pieceDelayMs":5}';
    const stream = await client.chat.completions.create({
      model,
      messages: [user(prompt)],
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let usage: unknown;
    const reasons: unknown[] = [];
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      if (chunk.choices[0]?.finish_reason) reasons.push(chunk.choices[0].finish_reason);
      usage = chunk.usage ?? usage;
    }
    expect(text).toBe(Array.from({ length: 50 }, (_, index) => `piece ${index + 1} `).join(''));
    expect(reasons).toEqual(['stop']);
    expect(usage).toMatchObject({ completion_tokens: 50 });
  });

  it('gets several answers to one request', async () => {
    const { id, choices } = await client.chat.completions.create({ model, messages: [user('Hello')], n: 3 });
    expect(choices.map(({ index, message }) => [index, message.content])).toEqual(
      [0, 1, 2].map((index) => [index, echo('Hello')]),
    );
    const again = await client.chat.completions.retrieve(id);
    expect(again.choices).toHaveLength(3);
  });

  it('performs tools, whose calls a model makes', async () => {
    const script = [{ calls: [{ name: 'add', input: { a: 2, b: 3 } }] }, { say: 'The sum is {{1}}.' }];
    const runner = client.chat.completions.runTools({
      model,
      messages: [user(`@offline ${JSON.stringify({ script })}\nAdd them`)],
      tools: [
        {
          type: 'function',
          function: {
            name: 'add',
            description: 'Adds two numbers.',
            parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
            parse: JSON.parse as (text: string) => { a: number; b: number },
            function: ({ a, b }: { a: number; b: number }) => String(a + b),
          },
        },
      ],
    });
    expect(await runner.finalContent()).toBe('The sum is 5.');
  });

  it('performs the tools of a lens, in one run', async () => {
    const script = [
      { say: 'A moment.', calls: [{ name: 'add', input: { a: 2, b: 3 } }] },
      { say: 'The sum is {{1}}.' },
    ];
    const tool = { name: 'add', inputSchema: { type: 'object' } };
    const lens = await aLens({
      title: 'Sums by clients',
      templateBody: `@offline ${JSON.stringify({ script })}\nAdd what the user wants to add: [[Wish]]`,
      settings: { tools: [tool] },
    });
    for (const stream of [false, true]) {
      const messages: OpenAI.ChatCompletionMessageParam[] = [user('2 and 3')];
      const ask = async () => {
        if (!stream) return client.chat.completions.create({ model: lens.name, messages });
        return client.chat.completions.stream({ model: lens.name, messages }).finalChatCompletion();
      };
      const first = await ask();
      const [choice] = first.choices;
      expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'A moment.' } });
      const [call] = choice?.message.tool_calls ?? [];
      expect(call).toMatchObject({ type: 'function', function: { name: 'add', arguments: '{"a":2,"b":3}' } });
      if (!choice || !call) throw new Error('there is no call');
      messages.push(choice.message, { role: 'tool', tool_call_id: call.id, content: '5' });
      const second = await ask();
      expect(second.choices).toMatchObject([{ finish_reason: 'stop', message: { content: 'The sum is 5.' } }]);
      expect(second.id).toBe(first.id);
      expect(await chargesOf(second.id)).toBe(1);
    }
  });

  it('gets JSON by a schema', async () => {
    const schema = {
      type: 'object',
      properties: { town: { type: 'string' } },
      required: ['town'],
      additionalProperties: false,
    };
    const { choices } = await client.chat.completions.parse({
      model,
      messages: [user('Which town?')],
      response_format: { type: 'json_schema', json_schema: { name: 'town', schema } },
    });
    expect(choices[0]?.message.parsed).toEqual({ town: expect.any(String) });
  });

  it('runs a lens with the last message as its parameter, and the messages before as its history', async () => {
    const lens = await aLens({
      title: 'Polite chat',
      messages: [
        { role: 'system', text: 'Answer politely, in the language of the question.' },
        { role: 'user', text: '[[history]]' },
        { role: 'user', text: 'Answer this question: [[Question]]' },
      ],
    });
    const first = await client.chat.completions.create({ model: `${lens.name}@1.0.0`, messages: [user('Who?')] });
    expect(first.choices[0]?.message.content).toContain('Answer this question: Who?');
    const messages = [user('Who?'), { role: 'assistant' as const, content: 'I.' }, user('Why?')];
    const second = await client.chat.completions.create({ model: lens.name, messages });
    const input = await setup.call('GET', `/v1/runs/${second.id}/input`);
    expect(input.body.data?.['params']).toEqual({
      Question: 'Why?',
      history: [
        { role: 'user', text: 'Who?' },
        { role: 'assistant', text: 'I.' },
      ],
    });
    const third = await client.chat.completions.create({
      model: lens.name,
      messages: [],
      metadata: { params: JSON.stringify({ Question: 'When?' }), ticket: '7' },
    });
    const run = await setup.call('GET', `/v1/runs/${third.id}`);
    expect(run.body.data).toMatchObject({ kind: 'lens', lensId: lens.id, metadata: { ticket: '7' } });
  });

  it('runs a workflow and an AI lenser', async () => {
    const workflow = `workflow:${await aSayingWorkflow()}`;
    const said = await client.chat.completions.create({ model: workflow, messages: [user('hello')] });
    expect(said.choices[0]?.message.content).toBe('hello');
    const agent = await setup.call('POST', '/v1/agents', {
      body: { handle: 'poet-of-clients', displayName: 'Poet', instructions: 'Rhyme, always.' },
    });
    expect(agent.body.error).toBeNull();
    const rhymed = await client.chat.completions.create({ model: 'agent:poet-of-clients', messages: [user('hello')] });
    expect(rhymed.choices[0]?.message.content).toBe(echo('hello'));
    const names = (await client.models.list()).data.map(({ id }) => id);
    expect(names).toEqual(expect.arrayContaining([model, 'offline/words', workflow, 'agent:poet-of-clients']));
    expect(await client.models.retrieve(model)).toMatchObject({ id: model, owned_by: 'offline' });
  });

  it('makes embeddings, in both encodings', async () => {
    const input = ['the cat sat', 'the cat sat down', 'an invoice for March'];
    const floats = await client.embeddings.create({ model: 'offline/words', input, encoding_format: 'float' });
    const packed = await client.embeddings.create({ model: 'offline/words', input });
    const vectors = floats.data.map(({ embedding }) => embedding);
    const cosine = (one = 0, other = 0): number =>
      (vectors[one] ?? []).reduce((sum, value, at) => sum + value * (vectors[other]?.[at] ?? 0), 0);
    expect(cosine(0, 1)).toBeGreaterThan(0.8);
    expect(cosine(0, 2)).toBeLessThan(0.3);
    expect(packed.data.map(({ embedding }) => [...embedding])).toEqual(vectors);
    expect(floats.usage.prompt_tokens).toBeGreaterThan(5);
  });

  it('is told faults in its own shape', async () => {
    const fault = (work: Promise<unknown>): Promise<APIError> =>
      work.then(
        () => Promise.reject(new Error('it was accepted')),
        (reason: unknown) => reason as APIError,
      );
    const refused = await fault(client.chat.completions.create({ model: 'offline/none', messages: [user('Hello')] }));
    expect(refused).toMatchObject({ status: 404, code: 'not_found', type: 'invalid_request_error' });
    const hot = await fault(client.chat.completions.create({ model, messages: [user('Hello')], temperature: 3 }));
    expect(hot).toMatchObject({ status: 400, code: 'invalid_request', param: 'temperature' });
    const messages = [user('@offline {"fail":"It is tired","failKind":"refused"}')];
    const failed = await fault(client.chat.completions.create({ model, messages }));
    expect(failed).toMatchObject({ status: 400, code: 'PROVIDER_REFUSED' });
    expect(failed.message).toContain('It is tired');
    const stream = await client.chat.completions.create({ model, messages, stream: true });
    const read = async (): Promise<void> => {
      for await (const _ of stream) continue;
    };
    expect(await fault(read())).toMatchObject({ code: 'PROVIDER_REFUSED' });
    const stranger = new OpenAI({ baseURL: base, apiKey: 'lf_dev_nobody', maxRetries: 0 });
    expect(await fault(stranger.models.list())).toMatchObject({ status: 401, type: 'authentication_error' });
    expect(await fault(client.files.list())).toMatchObject({ status: 404, code: 'not_found' });
    expect(await fault(client.batches.list())).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('may go away: the run goes on, and the same key finds its answer', async () => {
    const request = { model, messages: [user('@offline {"pieces":20,"pieceDelayMs":30}')] };
    const idempotencyKey = 'goes away';
    const headers = { 'idempotency-key': idempotencyKey };
    const stream = await client.chat.completions.create({ ...request, stream: true }, { headers });
    let id = '';
    for await (const chunk of stream) {
      id = chunk.id;
      if (chunk.choices[0]?.delta.content) break;
    }
    const whole = await client.chat.completions.create(request, { headers });
    expect(whole.id).toBe(id);
    expect(whole.choices[0]?.message.content).toMatch(/^piece 1 .*piece 20 $/);
    expect(await chargesOf(id)).toBe(1);
  });
});

describe('responses', () => {
  it('continue each other, and are read again', async () => {
    const first = await client.responses.create({
      model,
      input: 'Hello',
      instructions: 'Be brief.',
      metadata: { a: 'b' },
    });
    expect(first).toMatchObject({ status: 'completed', output_text: echo('Hello'), metadata: { a: 'b' } });
    const second = await client.responses.create({ model, input: 'And now?', previous_response_id: first.id });
    const { body } = await setup.call('GET', `/v1/runs/${second.id}/input`);
    expect(body.data?.['params']).toEqual({
      prompt: 'Hello',
      messages: [
        { role: 'assistant', text: echo('Hello'), toolCalls: [] },
        { role: 'user', text: 'And now?' },
      ],
    });
    const { _request_id: _, ...read } = await client.responses.retrieve(first.id);
    expect(read).toEqual({ ...first, _request_id: undefined });
  });

  it('stand for a stored prompt', async () => {
    const lens = await aLens({
      title: 'Stored prompt',
      templateBody: 'Greet the person [[Name]] from the town of [[Town]] in a few words.',
    });
    const response = await client.responses.create({
      prompt: {
        id: lens.id,
        version: '1.0.0',
        variables: { Name: 'Ada', Town: { type: 'input_text', text: 'London' } },
      },
    });
    expect(response.output_text).toContain('Greet the person Ada from the town of London');
    expect(response.prompt).toMatchObject({ id: lens.id });
  });

  it('call tools', async () => {
    const script = [{ calls: [{ name: 'add', input: { a: 2 } }] }, { say: 'The sum is {{1}}.' }];
    const tools = [{ type: 'function' as const, name: 'add', parameters: { type: 'object' }, strict: false }];
    const first = await client.responses.create({ model, input: `@offline ${JSON.stringify({ script })}\nAdd`, tools });
    const [call] = first.output;
    expect(call).toMatchObject({ type: 'function_call', name: 'add', arguments: '{"a":2}', status: 'completed' });
    if (call?.type !== 'function_call') throw new Error('there is no call');
    const second = await client.responses.create({
      model,
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id: call.call_id, output: '5' }],
      tools,
    });
    expect(second.output_text).toBe('The sum is 5.');
  });

  it('go on in the background, and are cancelled', async () => {
    const input = '@offline {"pieces":2000,"pieceDelayMs":30}';
    const { id, status } = await client.responses.create({ model, input, background: true });
    expect(['queued', 'in_progress']).toContain(status);
    await until(async () => (await client.responses.retrieve(id)).status === 'in_progress');
    await client.responses.cancel(id);
    await until(async () => (await client.responses.retrieve(id)).status === 'cancelled');
    const short = await client.responses.create({ model, input: 'Hello', background: true });
    await until(async () => (await client.responses.retrieve(short.id)).status === 'completed');
  });

  it('are streamed as a whole to programs whose connections are cut at any byte', async () => {
    const input = '@offline {"pieces":50,"pieceDelayMs":5}';
    const whole = new Map<number, OpenAI.Responses.ResponseStreamEvent>();
    let id = '';
    for await (const event of await client.responses.create({ model, input, background: true, stream: true })) {
      whole.set(event.sequence_number, event);
      if (event.type === 'response.created') id = event.response.id;
    }
    expect([...whole.keys()]).toEqual(Array.from(whole, (_, index) => index));
    const last = whole.size - 1;
    expect(whole.get(last)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
    const frames = [...whole.values()].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const bytes = Buffer.from(frames.join(''));
    const lastBefore = (cut: number): number => bytes.subarray(0, cut).toString().split('\n\n').length - 2;
    const points = new Set(Array.from({ length: bytes.length }, (_, cut) => lastBefore(cut)));
    expect(points.size).toBe(whole.size);
    for (const after of points) {
      const rest: unknown[] = [];
      for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: after }))
        rest.push(event);
      expect(rest).toEqual([...whole.values()].slice(after + 1));
    }
    expect(await chargesOf(id)).toBe(1);
  });
});

describe('the AI SDK', () => {
  it('reads an answer, a stream and tool calls', async () => {
    const provider = createOpenAICompatible({ name: 'lensforge', baseURL: base, apiKey: setup.token });
    const chat = provider.chatModel(model);
    const ask = (text: string) => [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }];
    const { content } = await chat.doGenerate({ prompt: ask('Hello') });
    expect(content).toEqual([{ type: 'text', text: echo('Hello') }]);
    const script = [{ calls: [{ name: 'add', input: { a: 2 } }] }];
    const { stream } = await chat.doStream({
      prompt: ask(`@offline ${JSON.stringify({ script })}\nAdd`),
      tools: [{ type: 'function', name: 'add', inputSchema: { type: 'object' } }],
    });
    const parts: { type: string }[] = [];
    for await (const part of stream as unknown as AsyncIterable<{ type: string }>) parts.push(part);
    expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call', toolName: 'add', input: '{"a":2}' }));
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'tool-calls' } });
    const { embeddings } = await provider.embeddingModel('offline/words').doEmbed({ values: ['a', 'b'] });
    expect(embeddings).toHaveLength(2);
  });

  it('has lenses, workflows and models by the provider of the platform', async () => {
    const lensforge = createLensforge({ baseUrl: setup.platform.urlOf('api-gateway'), apiKey: setup.token });
    const textOf = async (asked: ReturnType<typeof lensforge>, text: string): Promise<unknown> => {
      const content = text === '' ? [] : [{ type: 'text' as const, text }];
      return (await asked.doGenerate({ prompt: [{ role: 'user', content }] })).content[0];
    };
    expect(await textOf(lensforge(model), 'Hello')).toEqual({ type: 'text', text: echo('Hello') });
    const options = { params: { Name: 'Grace' }, tags: ['by-provider'] };
    const greeting = await textOf(lensforge.lens(setup.lensId, options), '');
    expect(greeting).toMatchObject({ text: expect.stringContaining('Grace') });
    const rows = await setup.db.query<{ tags: string[] }[]>("select tags from runs where 'by-provider' = any (tags)");
    expect(rows).toEqual([{ tags: ['by-provider'] }]);
    const said = await textOf(lensforge.workflow(await aSayingWorkflow()), 'Hello');
    expect(said).toEqual({ type: 'text', text: 'Hello' });
    await expect(textOf(lensforge.lens('none/none'), 'Hello')).rejects.toThrow(
      'There is no lens with the id none/none',
    );
    const { embeddings } = await lensforge.embeddingModel('offline/words').doEmbed({ values: ['a'] });
    expect(embeddings).toHaveLength(1);
  });
});
