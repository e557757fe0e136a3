import { execFile } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importModels } from '@lensforge/models';
import { type Client, createClient } from '@lensforge/sdk';
import { until } from '@lensforge/testing';
import { TestPlatform } from './test-platform.js';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'apps/e2e/promptfoo');

interface Verdict {
  pass: boolean;
  score: number;
  output: string;
}

/** The verdicts of the published package, which tools/promptfoo-verdicts.mjs has asked. */
const verdicts = JSON.parse(readFileSync(join(folder, 'verdicts.json'), 'utf8')) as Record<string, Verdict[]>;

/** A judge that finds texts with the word good better, and all others not good at all. */
function judge(prompt: string): string | undefined {
  const textAfter = (title: string): string => prompt.split(` ${title}\n`)[1]?.split('\n')[0] ?? '';
  const reasoning = 'by the word';
  if (prompt.startsWith('You compare two anonymous texts')) {
    const [first, second] = ['FIRST TEXT', 'SECOND TEXT'].map((title) => textAfter(title).includes('good'));
    return JSON.stringify({ reasoning, choice: first === second ? 'tie' : first ? 'first' : 'second' });
  }
  if (!prompt.startsWith('You judge an anonymous text')) return undefined;
  const meaning = textAfter('TEXT').includes('good') ? 'fully.' : 'not meet the criterion at all.';
  const [level = ''] = prompt.split('\n').filter((line) => line.endsWith(meaning));
  return JSON.stringify({ reasoning, level: level.slice(0, 8) });
}

/** A chat server that judges, or answers with the last message. */
async function openRepeatingServer(): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ object: 'list', data: [{ id: 'repeat', object: 'model', created: 1, owned_by: 'us' }] }),
      );
      return;
    }
    requests += 1;
    void json(request).then((body) => {
      const { messages } = body as { messages: { content: string | { text: string }[] }[] };
      const content = messages.at(-1)?.content ?? '';
      const asked = typeof content === 'string' ? content : content.map((part) => part.text).join('');
      const text = judge(asked) ?? asked;
      const base = { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'repeat' };
      const frame = (value: unknown): string =>
        `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame({ ...base, choices: [{ index: 0, delta: { content: text }, finish_reason: null }] }));
      response.write(frame({ ...base, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
      response.end(frame({ ...base, choices: [], usage }) + frame('[DONE]'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

let server: Server;
/** The requests to the chat server. */
let requests = 0;
let setup: TestPlatform;
let client: Client;
let out: string;

beforeAll(async () => {
  server = await openRepeatingServer();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  setup = await TestPlatform.open({ allInOne: true, providerKeys: { 'openai-compatible': { baseUrl } } });
  client = createClient({ baseUrl: setup.platform.urlOf('api-gateway'), apiKey: setup.token });
  out = await mkdtemp(join(tmpdir(), 'lensforge-configs-'));
  const isOffered = `select true from providers where key = 'openai-compatible'`;
  await until(async () => (await setup.db.query<unknown[]>(isOffered)).length > 0, { what: 'the model server' });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(out, { recursive: true, force: true });
  await setup.close();
});

/** Calls the program of the command line. */
const lensforge = (...words: string[]) =>
  new Promise<{ code: number; stderr: string }>((resolve) => {
    const env = {
      PATH: process.env['PATH'],
      LENSFORGE_API_URL: setup.platform.urlOf('api-gateway'),
      LENSFORGE_API_KEY: setup.token,
    };
    const child = execFile(process.execPath, [join(root, 'bundle/lensforge.js'), ...words], { env }, (_, __, stderr) =>
      resolve({ code: child.exitCode ?? -1, stderr }),
    );
  });

const evaluate = (file: string, ...more: string[]) =>
  lensforge('eval', '-f', file, '--model', 'openai-compatible/repeat', '--out', join(out, 'result.json'), ...more);

describe('judges', () => {
  it('are models of providers: their levels and choices are scores, with the runs that they were asked in', async () => {
    const model = 'openai-compatible/judge';
    const rates = { creditsPer1kInput: 1, creditsPer1kOutput: 1 };
    await importModels(setup.ctx, [{ provider: 'openai-compatible', key: 'judge', ...rates, capabilities: ['json'] }]);
    const lens = await client.lenses.create({
      title: 'Judged',
      templateBody: 'a fair [[Thing]], in words that are repeated as they stand here',
      visibility: 'private',
    });
    const dataset = await client.datasets.create({ name: 'Judged' });
    await client.datasets.changeCases(dataset.id, {
      save: [
        { key: 'a', params: { Thing: 'day' } },
        { key: 'b', params: { Thing: 'good night' } },
      ],
    });
    const { id } = await client.experiments.create({
      target: { lensId: lens.id },
      dataset: { id: dataset.id },
      arms: [
        { name: 'now', modelOverride: model },
        {
          name: 'next',
          candidate: { templateBody: 'a good [[Thing]], in words that are repeated as they stand here' },
          modelOverride: model,
        },
      ],
      baseline: 'now',
      scorers: [
        { name: 'rubric', kind: 'model', method: 'rubric', rubric: 'It is good.', model },
        { name: 'better', kind: 'pairwise', model },
      ],
    });
    await until(async () => (await client.experiments.get(id)).completedAt !== null, { what: 'the end' });
    const { results } = await client.experiments.get(id);
    expect(results?.map(({ scorers }) => scorers.map(({ score, errors }) => [score.mean, errors]))).toEqual([
      [
        [0.5, 0],
        [0.5, 0],
      ],
      [
        [1, 0],
        [0.75, 0],
      ],
    ]);
    const { items } = await client.experiments.listCells(id, { arm: 'next', key: 'a' });
    const runIds = items[0]?.scores.flatMap(({ judge }) => judge?.runIds ?? []) ?? [];
    expect(runIds).toHaveLength(3);
    const run = await client.runs.get(runIds[0] ?? '');
    expect(run).toMatchObject({ kind: 'prompt', status: 'succeeded' });
  });

  it('compare the embeddings of an answer with what is expected', async () => {
    const rule = { kind: 'model' as const, method: 'similarity' as const, model: 'offline/words' };
    const { id: scorerId } = await client.scorers.create({ name: 'near', rule });
    const expected = 'The shop opens at nine on Monday';
    const { scores } = await client.scorers.test(scorerId, {
      samples: ['On Monday the shop opens at nine', 'Cats chase mice'].map((output) => ({ output, expected })),
    });
    expect(scores.map(({ pass, judge }) => [pass, judge?.model])).toEqual([
      [true, 'offline/words'],
      [false, 'offline/words'],
    ]);
    expect(scores[0]?.reason).toMatch(/^the cosine of the embeddings of .* is 1$/);
    const run = await client.runs.get(scores[0]?.judge?.runIds[0] ?? '');
    expect(run).toMatchObject({ kind: 'prompt', modelKey: 'words', status: 'succeeded' });
    await expect(client.scorers.create({ name: 'far', rule: { ...rule, model: 'offline/echo' } })).rejects.toThrow(
      /the capability embeddings/,
    );

    const lens = await client.lenses.create({
      title: 'Near',
      templateBody: 'The shop opens at [[Hour]] on Monday, and on Tuesday it stays closed.',
      visibility: 'private',
    });
    const dataset = await client.datasets.create({ name: 'Near' });
    await client.datasets.changeCases(dataset.id, {
      save: [
        {
          key: 'a',
          params: { Hour: 'nine' },
          assertions: [{ type: 'similar', value: 'On Monday it opens at {{Hour}}', threshold: 0.4 }],
        },
        { key: 'b', params: { Hour: 'ten' }, assertions: [{ type: 'not-similar', value: 'Cats chase mice' }] },
        { key: 'c', params: { Hour: 'ten' }, assertions: [{ type: 'similar', value: 'Cats chase mice' }] },
      ],
    });
    const arms = [{ name: 'now', modelOverride: 'openai-compatible/repeat' }];
    const scorers = [{ name: 'near', kind: 'check' as const }];
    const order = { target: { lensId: lens.id }, dataset: { id: dataset.id }, arms, scorers };
    const scoresOf = async (more: { cache: 'record' | 'replay'; recordingId?: string }): Promise<unknown[][]> => {
      const { id } = await client.experiments.create({ ...order, ...more });
      await until(async () => (await client.experiments.get(id)).completedAt !== null, { what: 'the end' });
      const { items } = await client.experiments.listCells(id);
      return items.map(({ key, scores: [score] }) => [key, score?.pass, score?.score, score?.error]);
    };
    const live = await scoresOf({ cache: 'record' });
    expect(live.map(([key, pass, , error]) => [key, pass, error])).toEqual([
      ['a', true, null],
      ['b', true, null],
      ['c', false, null],
    ]);
    const [recording] = (await client.recordings.list()).items;
    const before = requests;
    expect(await scoresOf({ cache: 'replay', recordingId: recording?.id ?? '' })).toEqual(live);
    expect(requests).toBe(before);
  });
});

describe('a recording', () => {
  const answersOf = async (file: string): Promise<unknown[]> => {
    const { id } = JSON.parse(readFileSync(join(out, file), 'utf8')) as { id: string };
    const { items } = await client.experiments.listCells(id, { limit: 100 });
    return items.map(({ key, output, scores }) => ({ key, output, scores }));
  };

  it('of an evaluation answers the same evaluation again without the model server, and nothing else', async () => {
    const config = join(folder, '01-capitals.yaml');
    const recording = join(out, 'recording.ndjson');
    await evaluate(config, '--record', recording);
    const live = await answersOf('result.json');
    const before = requests;
    expect(before).toBeGreaterThan(0);
    const replayed = await evaluate(config, '--replay', recording);
    expect(replayed.stderr).not.toContain('not in the recording');
    expect(await answersOf('result.json')).toEqual(live);
    const changed = join(out, 'changed.yaml');
    writeFileSync(changed, readFileSync(config, 'utf8').replace(/capital/, 'chief town'));
    expect((await evaluate(changed, '--replay', recording)).code).not.toBe(0);
    const [cell] = (await answersOf('result.json')) as { output: string | null }[];
    expect(cell?.output).toBeNull();
    expect(requests).toBe(before);
    const ofConfig = (await client.recordings.list()).items.filter(({ name }) => name === 'Capitals');
    expect(ofConfig).toHaveLength(1);
  });
});

describe('a configuration of promptfoo', () => {
  it('gives its tests to a dataset, and gets them back', async () => {
    const { id } = await client.datasets.create({ name: 'Tests' });
    expect(await lensforge('dataset', 'import', id, join(folder, '04-json.yaml'))).toMatchObject({ code: 0 });
    const { items } = await client.datasets.listCases(id);
    expect(items[1]).toMatchObject({ key: '0002', params: { name: 'Bob', age: 50 } });
    expect(items[1]?.assertions.map(({ type }) => type)).toEqual(['is-json', 'javascript']);
    const written = join(out, 'tests.yaml');
    await lensforge('dataset', 'export', id, written);
    const again = await client.datasets.create({ name: 'Tests again' });
    writeFileSync(join(out, 'config.yaml'), `prompts: [x]\ntests: tests.yaml\n`);
    expect(await lensforge('dataset', 'import', again.id, join(out, 'config.yaml'))).toMatchObject({ code: 0 });
    const copied = await client.datasets.listCases(again.id);
    expect(copied.items.map(({ params, assertions }) => ({ params, assertions }))).toEqual(
      items.map(({ params, assertions }) => ({ params, assertions })),
    );
    writeFileSync(join(out, 'dot.png'), Buffer.from('dot'));
    writeFileSync(join(out, 'images.yaml'), `tests: [{ vars: { Photo: file://dot.png } }]\n`);
    const withImages = await client.datasets.create({ name: 'Tests with images' });
    expect(await lensforge('dataset', 'import', withImages.id, join(out, 'images.yaml'))).toMatchObject({ code: 0 });
    const [photo] = (await client.datasets.listCases(withImages.id)).items;
    expect(photo?.params).toEqual({ Photo: { image: { mediaType: 'image/png', data: 'ZG90' } } });
    writeFileSync(join(out, 'untaken.yaml'), `tests:\n  - vars: { a: 1 }\n    provider: other\n`);
    const refused = await lensforge('dataset', 'import', again.id, join(out, 'untaken.yaml'));
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('untaken.yaml:3: tests[0].provider');
  });

  it.each(Object.keys(verdicts))('has its verdicts here: %s', async (name) => {
    const expected = verdicts[name] ?? [];
    const { code, stderr } = await evaluate(join(folder, name));
    expect([stderr, code]).toEqual([expect.any(String), expected.every(({ pass }) => pass) ? 0 : 1]);
    const { id } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as { id: string };
    const { items } = await client.experiments.listCells(id, { limit: 100 });
    expect(items.map(({ scores: [score] }) => ({ pass: score?.pass, score: score?.score }))).toEqual(
      expected.map(({ pass, score }) => ({ pass, score: expect.closeTo(score, 3) })),
    );
    // The package shows transformed outputs.
    if (name.includes('transform')) return;
    expect(items.map(({ output }) => output)).toEqual(expected.map(({ output }) => output));
  });

  it('has all files of the folder', () => {
    const configs = readdirSync(folder).filter((each) => /^\d+-[a-z-]+\.yaml$/.test(each) && each !== '16-tests.yaml');
    expect(Object.keys(verdicts).sort()).toEqual(configs.sort());
    expect(configs.length).toBeGreaterThanOrEqual(30);
  });

  it('is refused with the lines that cannot be taken, and without them on request', async () => {
    const file = join(folder, 'untaken.yaml');
    const { code, stderr } = await evaluate(file);
    expect(code).toBe(5);
    expect(stderr.split('\n').slice(1, -2)).toEqual([
      `  ${file}:11: tests[0].assert[1]: the assertion llm-rubric needs a judge: name a model with --judge`,
      `  ${file}:14: tests[1].provider: is not taken`,
      `  ${file}:15: tests[1].options.transform: is not taken with assertions that have one, too`,
    ]);
    expect((await evaluate(file, '--partial')).code).toBe(0);
    const judged = await evaluate(file, '--judge', 'openai-compatible/judge', '--partial');
    expect(judged.code).toBe(1);
    const { id } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as { id: string };
    const { items } = await client.experiments.listCells(id, { limit: 10 });
    expect(items.map(({ scores: [score] }) => [score?.pass, score?.score])).toEqual([
      [false, 0.5],
      [true, 1],
    ]);
  });
});
