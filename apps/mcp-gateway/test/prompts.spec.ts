import { newId } from '@lensforge/core';
import { createLens, setLensVisibility } from '@lensforge/lenses';
import { acceptLensRun, claimRuns, finishRuns } from '@lensforge/runs';
import { aFinish } from '@lensforge/runs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpService, type TestCaller } from './mcp-service.js';

const output = { id: newId(), kind: 'text' as const, contentText: 'There.', contentJson: null, isPrimaryOutput: true };

let service: McpService;
let mine: TestCaller;
let stranger: TestCaller;
let name: string;
let lensId: string;
let runId: string;

beforeAll(async () => {
  service = await McpService.start();
  [mine, stranger] = await Promise.all([service.aCaller(), service.aCaller()]);
  const { lens } = await createLens(mine.ctx, {
    title: 'A friendly reply',
    description: 'Answers a customer.',
    messages: [
      { role: 'system', text: 'You answer customers of a shop in a friendly way.' },
      { role: 'user', text: '[[history]]' },
      { role: 'user', text: 'Answer in a [[Tone]] way: [[Question]][[Urgent!]]' },
    ],
    settings: {
      params: [
        { label: 'Tone', type: 'enum', values: ['warm', 'plain', 'playful'], description: 'How it sounds.' },
        { label: 'Urgent', type: 'boolean' },
      ],
    },
  });
  lensId = lens.id;
  await service.ctx.db.query(`update lenses set status = 'published' where id = $1`, [lensId]);
  const [{ handle }] = await service.ctx.db.query<[{ handle: string }]>('select handle from accounts where id = $1', [
    mine.accountId,
  ]);
  name = `${handle}/a-friendly-reply`;
  ({ runId } = await acceptLensRun(mine.ctx, {
    lensId,
    params: { Tone: 'warm', Question: 'Where?' },
    timeoutMs: 60_000,
  }));
  const [run] = await claimRuns(service.ctx, [{ runId, generation: 0, worker: 'test', leaseMs: 60_000 }]);
  if (run) await finishRuns(service.ctx, [{ ...aFinish(run), artifacts: [output] }]);
});
afterAll(() => service.stop());

async function rpc(
  method: string,
  params: object = {},
  { bearer } = mine,
): Promise<{ result?: unknown; error?: { code: number; message: string } }> {
  const answer = await service.send({ jsonrpc: '2.0', id: 1, method, params }, bearer);
  return (await answer.json()) as { result?: unknown };
}

describe('lenses as prompts', () => {
  it('are listed for their owner, with their arguments', async () => {
    expect((await rpc('prompts/list')).result).toEqual({
      prompts: [
        {
          name,
          title: 'A friendly reply',
          description: 'Answers a customer.',
          arguments: [
            { name: 'Tone', description: 'How it sounds.', required: true },
            { name: 'Question', required: true },
            { name: 'Urgent', required: false },
          ],
        },
      ],
    });
    expect((await rpc('prompts/list', {}, stranger)).result).toEqual({ prompts: [] });
    const { bearer } = await service.aCaller({ held: ['workflows:read'] }, mine.accountId);
    expect((await rpc('prompts/list', {}, { ...mine, bearer })).result).toEqual({ prompts: [] });
    expect((await rpc('prompts/list', { cursor: 'x' })).error?.message).toContain('one page');
  });

  it('are filled with arguments', async () => {
    const args = { Tone: 'warm', Question: 'Where is it?' };
    const text = 'You answer customers of a shop in a friendly way.\n\nAnswer in a warm way: Where is it?';
    const messages = [{ role: 'user', content: { type: 'text', text } }];
    for (const named of [name, `${name}@1.0.0`, `lens:${lensId}`])
      expect((await rpc('prompts/get', { name: named, arguments: args })).result).toEqual({ messages });
  });

  it.each([
    ['a missing argument', () => ({ name, arguments: { Tone: 'warm' } }), /lacks Question/],
    ['a value that is not allowed', () => ({ name, arguments: { Tone: 'rude', Question: 'a' } }), /Tone/],
    ['an unknown lens', () => ({ name: 'unknown/nothing' }), /no lens/],
    ['a name of another form', () => ({ name: 'reply' }), /handle\/title/],
    ['a version that it does not have', () => ({ name: `${name}@9.9.9` }), /9\.9\.9/],
  ])('are refused for %s', async (_, params, message) => {
    const { error } = await rpc('prompts/get', params());
    expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
  });

  it('are found by those who may see them alone', async () => {
    await setLensVisibility(mine.ctx, { lensId, visibility: 'private' });
    expect((await rpc('prompts/get', { name }, stranger)).error?.message).toContain('no lens');
    const { bearer } = await service.aCaller({ held: ['workflows:read'] }, mine.accountId);
    expect((await rpc('prompts/get', { name }, { ...mine, bearer })).error?.message).toContain('lenses:read');
  });

  it('complete arguments with the values that they can have', async () => {
    const valuesOf = async (argument: object): Promise<unknown> =>
      (
        (await rpc('completion/complete', { ref: { type: 'ref/prompt', name }, argument })).result as {
          completion: { values: string[] };
        }
      ).completion.values;
    expect(await valuesOf({ name: 'tone', value: 'P' })).toEqual(['plain', 'playful']);
    expect(await valuesOf({ name: 'Urgent', value: '' })).toEqual(['true', 'false']);
    expect(await valuesOf({ name: 'Question', value: 'W' })).toEqual([]);
    expect((await rpc('completion/complete', { ref: {} })).error).toMatchObject({ code: -32602 });
  });
});

describe('outputs of runs as resources', () => {
  it('are listed and read by their owner alone', async () => {
    const uri = `lensforge://runs/${runId}/output`;
    expect((await rpc('resources/list')).result).toMatchObject({
      resources: [{ uri, name: runId, title: 'Output of a lens run' }],
    });
    expect((await rpc('resources/templates/list')).result).toMatchObject({
      resourceTemplates: [{ uriTemplate: 'lensforge://runs/{runId}/output' }],
    });
    const read = await rpc('resources/read', { uri });
    expect(read.result).toEqual({ contents: [{ uri, mimeType: 'text/plain', text: 'There.' }] });
    expect((await rpc('resources/list', {}, stranger)).result).toEqual({ resources: [] });
    expect((await rpc('resources/read', { uri }, stranger)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('no run'),
    });
    expect((await rpc('resources/read', { uri: 'file:///etc/passwd' })).error).toMatchObject({ code: -32602 });
  });
});
