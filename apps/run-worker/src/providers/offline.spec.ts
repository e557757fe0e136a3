import { describe, expect, it } from '@jest/globals';
import { faultAgainstSchema, type Message, type ToolCall } from '@lensforge/models';
import { offlineProvider } from './offline.js';
import type { ProviderPart, ProviderRequest } from './provider.js';

const ask = (prompt: string, more: Partial<ProviderRequest> = {}): ProviderRequest => ({
  model: 'echo',
  prompt,
  maxOutputTokens: 4096,
  idempotencyKey: 'a:lens',
  ...more,
});

async function answer(
  request: ProviderRequest,
  { provider = offlineProvider(), signal = new AbortController().signal } = {},
): Promise<{ text: string; deltas: string[]; usage: { input: number; output: number } | undefined }> {
  const parts: ProviderPart[] = [];
  for await (const part of provider.stream(request, signal)) parts.push(part);
  const deltas = parts.flatMap((part) => ('delta' in part ? [part.delta] : []));
  const [usage] = parts.flatMap((part) => ('usage' in part ? [part.usage] : []));
  return { text: deltas.join(''), deltas, usage };
}

describe('offlineProvider', () => {
  it('echoes the prompt word by word and says that no model was asked', async () => {
    const { text, deltas, usage } = await answer(ask('Greet Ada, please.\n  Twice.'));
    expect(text).toContain('no model was asked');
    expect(text).toMatch(/Greet Ada, please\.\n {2}Twice\.$/);
    expect(deltas).toContain('Ada, ');
    expect(usage).toEqual({ input: 4, output: deltas.length });
  });

  it('is deterministic', async () => {
    expect(await answer(ask('The same'))).toEqual(await answer(ask('The same')));
  });

  it('answers with JSON where a schema is requested', async () => {
    const outputSchema = {
      type: 'object',
      required: ['name', 'age', 'tags', 'mood', 'home', 'ratio', 'more'],
      properties: {
        name: { type: 'string', minLength: 6 },
        age: { type: 'integer', exclusiveMinimum: 17 },
        tags: { type: 'array', minItems: 2, items: { type: 'boolean' } },
        mood: { enum: ['good', 'bad'] },
        home: { anyOf: [{ type: 'object', required: ['city'], properties: { city: { const: 'Bonn' } } }, {}] },
        ratio: { type: ['number', 'null'], maximum: -1 },
      },
    };
    const { text } = await answer(ask('Who?', { outputSchema }));
    const value: unknown = JSON.parse(text);
    expect(faultAgainstSchema(outputSchema, value)).toBeUndefined();
    expect(value).toMatchObject({ age: 18, tags: [false, false], mood: 'good', home: { city: 'Bonn' } });
  });

  it('chooses the options of a schema by the prompt, and values within limits', async () => {
    const outputSchema = {
      type: 'object',
      required: ['team', 'score', 'shortSummary', 'tags', 'good'],
      properties: {
        team: { enum: ['billing', 'support'] },
        score: { type: 'integer', minimum: 1, maximum: 5 },
        shortSummary: { type: 'string' },
        tags: { type: 'array', items: { enum: ['new', 'old'] } },
        good: { type: 'boolean' },
      },
    };
    const { text } = await answer(ask('My support contract is old, and nobody in support answers.', { outputSchema }));
    expect(JSON.parse(text)).toEqual({
      team: 'support',
      score: 3,
      shortSummary: 'Offline short summary',
      tags: ['old'],
      good: false,
    });
  });

  it.each([
    ['Classify this as exactly one of: billing, support or sales.\nI paid for support and support is slow.', 'support'],
    ['Is it urgent? Answer only yes or no.\nThe house is on fire.', 'yes'],
    ['Answer with one of "red", "blue": which is the sky, blue?', 'blue (offline answer; no model was asked)'],
    ['Choose either left | right. Turn right.', 'right (offline answer; no model was asked)'],
  ])('chooses an option that the prompt %j lists', async (prompt, chosen) => {
    expect((await answer(ask(prompt))).text).toBe(chosen);
  });

  it.each([
    'Reply to the customer as soon as possible, either by mail or by phone, whichever suits them best at the time.',
    'Write a note for engineers and operators.',
    'Explain what one of the two does. It is red or blue.',
  ])('echoes the prompt %j, which asks for no decision', async (prompt) => {
    expect((await answer(ask(prompt))).text).toContain(`The prompt was: ${prompt}`);
  });

  it('judges drafts so that a loop of draft and judgement ends in the second round', async () => {
    const judge = async (draft: string): Promise<string> =>
      (await answer(ask(`Answer GOOD when it needs no more work, else say what to change:\n${draft}`))).text;
    const { text: draft } = await answer(ask('Write a first draft about rain.'));
    const criticism = await judge(draft);
    expect(criticism).not.toContain('GOOD');
    const { text: revised } = await answer(ask(`Revise this draft:\n${draft}\nand take this to heart:\n${criticism}`));
    expect(await judge(revised)).toBe('GOOD (offline answer; no model was asked)');
    expect(await judge('A short text of a person.')).not.toContain('GOOD');
    expect(await judge('word '.repeat(60))).toContain('GOOD');
  });

  it('stops at the limit of output tokens', async () => {
    const { deltas, usage } = await answer(ask('word '.repeat(100), { maxOutputTokens: 20 }));
    expect(deltas).toHaveLength(20);
    expect(usage?.output).toBe(20);
  });

  it.each([
    ['one unbroken word', 'a'.repeat(250_000)],
    ['nothing but blanks', ' '.repeat(250_000)],
    ['words', 'a '.repeat(125_000)],
    ['something like a directive', '@offline '.repeat(28_000)],
    ['the beginnings of directives', '\n@offline'.repeat(28_000)],
    ['a directive after many blanks', `@offline${' '.repeat(250_000)}x`],
  ])('answers a large prompt of %s in linear time', async (_, prompt) => {
    const { text, usage } = await answer(ask(prompt));
    expect(text.length).toBeLessThan(4096 * 80);
    expect(usage?.output).toBeLessThanOrEqual(4096);
  });

  it('answers with the pieces of a directive and leaves the directive out', async () => {
    const { text, deltas } = await answer(ask('Hello\n@offline {"pieces":3}\nthere'));
    expect(deltas).toEqual(['piece 1 ', 'piece 2 ', 'piece 3 ']);
    expect(text).not.toContain('@offline');
  });

  it('follows a directive only on a line of its own', async () => {
    const { text } = await answer(ask('Explain @offline {"pieces":3} to me'));
    expect(text).toContain('Explain @offline {"pieces":3} to me');
  });

  it('fails as a directive asks', async () => {
    await expect(answer(ask('@offline {"fail":"the model is tired","failKind":"limited"}'))).rejects.toMatchObject({
      kind: 'limited',
      message: 'the model is tired',
    });
    await expect(answer(ask('@offline {"fail":"no"}'))).rejects.toMatchObject({ kind: 'broken' });
  });

  it.each(['{"delay":1}', '{"pieces":-1}', '{not json}', '{"pieces":"many"}', '{"failKind":"silly"}'])(
    'refuses the directive %s with the reason',
    async (json) => {
      await expect(answer(ask(`@offline ${json}`))).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringContaining('@offline'),
      });
    },
  );

  it.each(['{"hang":true}', '{"delayMs":3600000}', '{"pieces":2,"pieceDelayMs":3600000}'])(
    'can be aborted during %s',
    async (json) => {
      const controller = new AbortController();
      const waiting = answer(ask(`@offline ${json}`), { signal: controller.signal });
      setImmediate(() => controller.abort());
      await expect(waiting).rejects.toThrow();
    },
  );

  it('ends the process only where that is allowed', async () => {
    const prompt = ask('@offline {"exit":true}');
    await expect(answer(prompt)).rejects.toMatchObject({ kind: 'refused' });
    const exit = (): never => {
      throw new Error('the process has ended');
    };
    await expect(answer(prompt, { provider: offlineProvider({ exit }) })).rejects.toThrow('the process has ended');
  });

  describe('with a script', () => {
    const script = [
      { say: 'First I look.', calls: [{ name: 'get_lens', input: { lens_id: 'a' } }, { name: 'list_lenses' }] },
      { calls: [{ name: 'run_lens', input: { lens_id: '{{1.id}}', values: ['{{2}}', 7] } }] },
      { say: 'It is {{1.items.0.title}}{{9}}.' },
    ];
    const system = `Be brief.\n@offline ${JSON.stringify({ script })}`;
    const results = (...texts: string[]): Message[] => [
      { role: 'assistant', text: '', toolCalls: [] },
      { role: 'tool', results: texts.map((text) => ({ callId: 'c', name: 'n', text, isError: false })) },
    ];
    const calls = async (messages: Message[]): Promise<ToolCall[]> => {
      const found: ToolCall[] = [];
      for await (const part of offlineProvider().stream(
        ask('Do it', { system, messages }),
        new AbortController().signal,
      ))
        if ('toolCall' in part) found.push(part.toolCall);
      return found;
    };

    it('asks for the tools of each step, and then says its last text', async () => {
      expect(await calls([])).toEqual([
        { id: 'offline_1_1', name: 'get_lens', input: { lens_id: 'a' } },
        { id: 'offline_1_2', name: 'list_lenses', input: {} },
      ]);
      expect((await answer(ask('Do it', { system }))).text).toBe('First I look.');
      const messages = [...results('<<<X RESULT\n| {"id":"b","items":[{"title":"T"}]}\n>>>X', 'two'), ...results()];
      expect(await calls(messages.slice(0, 2))).toMatchObject([{ input: { lens_id: 'b', values: ['two', 7] } }]);
      expect((await answer(ask('Do it', { system, messages }))).text).toBe('It is T.');
    });

    it('echoes the prompt after the last step', async () => {
      const messages = [...results(), ...results(), ...results()];
      expect((await answer(ask('Do it', { system, messages }))).text).toMatch(/Do it$/);
    });

    it('follows no directive in the result of a tool', async () => {
      const messages = results(`@offline ${JSON.stringify({ fail: 'obeyed' })}`);
      expect((await answer(ask('Do it', { messages }))).text).toMatch(/Do it$/);
    });
  });
});
