import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import yaml from 'yaml';
import { type Client, createClient } from '@lensforge/sdk';
import { TestPlatform } from './test-platform.js';

// Imports 20 exports of each source, exports them in the same format again, and compares.

const program = join(import.meta.dirname, '../../../bundle/lensforge.js');
const count = 20;
const numbers = Array.from({ length: count }, (_, at) => at);

let setup: TestPlatform;
let client: Client;
let folder: string;

beforeAll(async () => {
  setup = await TestPlatform.open({ allInOne: true });
  client = createClient({ baseUrl: setup.platform.urlOf('api-gateway'), apiKey: setup.token });
  folder = await mkdtemp(join(tmpdir(), 'lensforge-imports-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await setup.close();
});

interface Imported {
  name: string;
  state: string;
  size: number;
  id?: string;
}
interface Told {
  code: number;
  lenses: Imported[];
  datasets: Imported[];
  scorers: Imported[];
  notes: { effect: string; where: string; what: string }[];
  stderr: string;
}

const command = (
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const settings = {
      LENSFORGE_CONFIG_DIR: folder,
      LENSFORGE_API_URL: setup.platform.urlOf('api-gateway'),
      LENSFORGE_API_KEY: setup.token,
    };
    execFile(
      process.execPath,
      [program, ...words],
      { env: { PATH: process.env['PATH'], ...settings, ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

async function importing(source: string, path: string, ...more: string[]): Promise<Told> {
  const { code, stdout, stderr } = await command(['import', source, path, '--json', ...more]);
  const empty = { lenses: [], datasets: [], scorers: [], notes: [] };
  return { ...empty, ...(stdout === '' ? {} : (JSON.parse(stdout) as Omit<Told, 'code'>)), code, stderr };
}

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const written = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const statesOf = (all: readonly Imported[]): string[] => [...new Set(all.map(({ state }) => state))];
const whats = ({ notes }: Told, effect: string): string[] =>
  notes.filter((note) => note.effect === effect).map(({ what }) => what);

/** Work for several items, two at a time. */
async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all([next(), next()]);
}

interface LangfusePrompt {
  name: string;
  version: number;
  type: string;
  prompt: unknown;
  config: Record<string, unknown>;
  labels: string[];
  tags: string[];
}

const tools = [
  {
    type: 'function',
    function: { name: 'find_order', description: 'An order.', parameters: { type: 'object', properties: {} } },
  },
];
const schema = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
const configs: Record<string, unknown>[] = [
  {},
  { model: 'echo', temperature: 0.2 },
  { temperature: 0.7, top_p: 0.9, max_completion_tokens: 200 },
  { tools },
  { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } },
];

/** The versions of one prompt: texts and conversations, with and without settings, labels, tags and earlier messages. */
function versionsOf(n: number): LangfusePrompt[] {
  const name = `prompt-${n}`;
  const isChat = n % 2 === 1;
  return Array.from({ length: 1 + (n % 3) }, (_, at) => {
    const text = `Version ${at + 1} of prompt ${n} tells {{Name}} in friendly words about {{topic of the day}}, without [[marks]].`;
    const chat = [
      { role: 'system', content: `You are assistant ${n} in version ${at + 1}, and friendly to everybody who asks.` },
      ...(n % 4 === 1 ? [{ type: 'placeholder', name: 'history' }] : []),
      { role: 'user', content: text },
    ];
    const last = at === n % 3;
    return {
      name,
      version: at + 1,
      type: isChat ? 'chat' : 'text',
      prompt: isChat ? chat : text,
      config: configs[n % configs.length] ?? {},
      labels: [...(at === 0 ? ['production'] : []), ...(last ? ['latest'] : [])],
      tags: n % 2 === 0 ? ['support'] : [],
    };
  });
}

const prompts = numbers.flatMap(versionsOf);
const items = numbers.map((n) => ({
  id: `item-${String(n).padStart(2, '0')}`,
  datasetId: 'dataset-1',
  datasetName: 'capitals',
  input: { country: `Country ${n}` },
  expectedOutput: { capital: `City ${n}` },
  metadata: { n },
  status: 'ACTIVE',
}));

/** A prompt of an export, without what the platform adds. */
const comparable = ({ name, version, type, prompt, config, labels, tags }: LangfusePrompt): object => ({
  name,
  version,
  type,
  prompt: Array.isArray(prompt)
    ? (prompt as Record<string, unknown>[]).map(({ role, content, name: place }) => ({ role, content, name: place }))
    : prompt,
  config,
  labels: [...labels].sort(),
  tags,
});

describe('exports of Langfuse', () => {
  it('come back as they were: 20 prompts with 39 versions, and 20 items of a dataset', async () => {
    const path = file('langfuse.json', {
      prompts,
      datasets: [{ id: 'dataset-1', name: 'capitals', description: 'Of countries' }],
      datasetItems: items,
    });
    const dry = await importing('langfuse', path, '--dry-run');
    expect([statesOf(dry.lenses), statesOf(dry.datasets)]).toEqual([['new'], ['new']]);
    expect((await client.lenses.list({ q: 'prompt-7' })).items).toEqual([]);

    const told = await importing('langfuse', path);
    expect(told).toMatchObject({ code: 0, notes: [] });
    expect([told.lenses.length, statesOf(told.lenses), told.datasets]).toEqual([
      count,
      ['new'],
      [{ name: 'capitals', state: 'new', size: count, id: expect.any(String) }],
    ]);
    const lensesOf = told.lenses.flatMap(({ id }) => ['--lens', String(id)]);
    const out = join(folder, 'langfuse-out.json');
    const { code, stdout } = await command([
      'export',
      'langfuse',
      out,
      ...lensesOf,
      '--dataset',
      String(told.datasets[0]?.id),
    ]);
    expect([code, stdout]).toEqual([0, `Wrote ${prompts.length} versions of prompts, 1 datasets and ${count} items\n`]);
    const back = written(out) as { prompts: LangfusePrompt[]; datasetItems: { id: string }[] };
    expect(back.prompts.map(comparable)).toEqual(prompts.map(comparable));
    expect(back.datasetItems.map((item) => ({ ...item, datasetId: 'dataset-1' }))).toEqual(items);

    const again = await importing('langfuse', path);
    expect([statesOf(again.lenses), statesOf(again.datasets), again.notes]).toEqual([['unchanged'], ['unchanged'], []]);
  });

  it('get their later versions and moved labels by a second import, and keep what was changed here', async () => {
    const first = versionsOf(1)
      .slice(0, 1)
      .map((each) => ({ ...each, name: 'growing' }));
    const [{ id = '' } = {}] = (await importing('langfuse', file('growing.json', first))).lenses;
    const own = 'A text that was written here, which is long enough for a lens.';
    await client.lenses.update(id, { templateBody: own });
    const grown = [
      { ...first[0], labels: [] },
      { ...versionsOf(1)[1], name: 'growing', labels: ['production'] },
    ];
    const told = await importing('langfuse', file('growing.json', grown));
    expect(told.lenses).toMatchObject([{ state: 'changed', id }]);
    const { versions, labels } = await client.lenses.export(id);
    expect(versions.map(({ semver }) => semver)).toHaveLength(3);
    expect(versions[1]?.templateBody).toBe(own);
    expect(labels).toEqual([{ label: 'production', semver: versions[2]?.semver }]);
  });

  it('keep the order of versions when a text returns, and tell changed cases before they are written', async () => {
    const [prompt] = versionsOf(0) as [LangfusePrompt];
    const other = 'Another text about {{Name}}, which is long enough for a lens and differs.';
    const returning = [prompt.prompt, other, prompt.prompt].map((text, at) => ({
      ...prompt,
      name: 'returning',
      version: at + 1,
      prompt: text,
      labels: at === 0 ? ['production'] : [],
    }));
    await importing('langfuse', file('returning.json', returning.slice(0, 1)));
    const path = file('returning.json', [...returning, { ...items[0], datasetName: 'few' }]);
    const [{ id = '' } = {}] = (await importing('langfuse', path)).lenses;
    const { versions, labels } = await client.lenses.export(id);
    expect(versions.map(({ templateBody }) => templateBody.startsWith('Another'))).toEqual([false, true, false]);
    expect(labels).toEqual([{ label: 'production', semver: '1.0.0' }]);
    const again = await importing('langfuse', path, '--dry-run');
    expect([statesOf(again.lenses), statesOf(again.datasets)]).toEqual([['unchanged'], ['unchanged']]);
    const changed = file('few.json', [{ ...items[0], datasetName: 'few', expectedOutput: 'other' }]);
    expect((await importing('langfuse', changed, '--dry-run')).datasets).toMatchObject([{ state: 'changed' }]);
  });

  it('tell each element that has no equal, with its place', async () => {
    const path = file('odd.json', [
      {
        name: 'short',
        version: 1,
        prompt: 'Hi {{name}}',
        config: { model: 'gpt-99', frequency_penalty: 1 },
        labels: ['Prod 1'],
      },
      {
        name: 'templated',
        version: 1,
        prompt: '{% if a %}Hello {{user | upper}}{% endif %}, and welcome to the shop of the town.',
        config: {},
      },
      {
        name: 'composed',
        version: 1,
        prompt: '@@@langfusePrompt:name=tone|label=production@@@ Then answer the question of the customer.',
        config: {},
      },
      {
        name: 'calling',
        version: 1,
        prompt: [
          { role: 'tool', content: 'x' },
          { role: 'user', content: 'Say {{it}} in friendly words and short sentences.' },
        ],
      },
      { datasetName: 'traces', id: 'i1', input: 'plain', sourceTraceId: 't1' },
      { datasetName: 'traces', id: 'i2', input: {}, status: 'ARCHIVED' },
      { name: 'helpful', value: 0.5, dataType: 'NUMERIC', traceId: 't1' },
      { name: 'helpful', value: 1, dataType: 'NUMERIC', traceId: 'unknown' },
      { name: 'tone', dataType: 'CATEGORICAL', categories: [] },
      { what: 'is this' },
    ]);
    const told = await importing('langfuse', path);
    expect(told.code).toBe(0);
    expect(whats(told, 'approximated')).toEqual([
      'has 11 characters: line breaks follow up to 50',
      'the score helpful is in the metadata of the case of its trace',
    ]);
    expect(whats(told, 'left out')).toEqual([
      'a score configuration: criteria are set in review queues',
      'is no prompt, dataset, item or score of Langfuse',
      'the model gpt-99, which the platform does not have: callers choose one',
      'frequency_penalty: 1',
      'the label Prod 1: labels are lower case letters, digits, - and _',
      'a statement {% … %} stays as a text: lenses have sections',
      '{{user | upper}} stays as a text: only names of variables are taken',
      '@@@langfusePrompt:name=tone|label=production@@@ stays as a text: include a lens with [[> handle/title]]',
      'message 1 has the role tool',
      'the score helpful of a trace of which no case was made',
      'an archived item',
    ]);
    expect(told.notes.every(({ where }) => where.startsWith(`${path}[`))).toBe(true);
    const cases = await client.datasets.listCases(String(told.datasets[0]?.id));
    expect(cases.items).toMatchObject([
      { key: 'i1', params: { input: 'plain' }, metadata: { scores: { helpful: 0.5 } } },
    ]);
  });

  it('are read from a server, too: here from this platform with its own token', async () => {
    const env = { LANGFUSE_PUBLIC_KEY: 'any', LANGFUSE_SECRET_KEY: setup.token };
    const url = setup.platform.urlOf('api-gateway');
    const missing = await command(['import', 'langfuse', url]);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining('Set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY'),
    ]);
    const refused = await command(['import', 'langfuse', url], { ...env, LANGFUSE_SECRET_KEY: 'lf_none' });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('refused the key')]);
  });
});

describe('a server with the API of Langfuse', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://localhost');
      const page = (data: unknown[]): object => ({
        data: data.slice((Number(url.searchParams.get('page')) - 1) * 50).slice(0, 50),
        meta: { totalPages: Math.ceil(data.length / 50) },
      });
      const name = decodeURIComponent(url.pathname.split('/')[5] ?? '');
      const version = Number(url.searchParams.get('version'));
      const replies: Record<string, () => object> = {
        '/api/public/v2/prompts': () =>
          page(
            numbers.map((n) => ({ name: `served/prompt-${n}`, versions: versionsOf(n).map((each) => each.version) })),
          ),
        '/api/public/v2/datasets': () => page([{ id: 'd', name: 'served capitals', metadata: null }]),
        '/api/public/dataset-items': () => page(numbers.map((n) => ({ ...items[n], datasetName: 'served capitals' }))),
        '/api/public/v2/scores': () => page([]),
        [`/api/public/v2/prompts/${encodeURIComponent(name)}`]: () => ({
          ...versionsOf(Number(name.replace(/^.*-/, '')))[version - 1],
          name,
        }),
      };
      const isKnown = request.headers.authorization === `Basic ${Buffer.from('pk:sk').toString('base64')}`;
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isKnown ? replies[url.pathname]?.() : {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());

  it('gives all prompts, datasets and items, page by page', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { LANGFUSE_PUBLIC_KEY: 'pk', LANGFUSE_SECRET_KEY: 'sk' };
    const { code, stdout } = await command(['import', 'langfuse', url, '--dry-run'], env);
    expect(code).toBe(0);
    expect(stdout.match(/^lens /gm)).toHaveLength(count);
    expect(stdout).toMatch(/dataset +served capitals +new +20 cases/);
    expect(stdout).toContain('Nothing was written');
  });
});

const promptfooOf = (n: number): Record<string, unknown> => ({
  description: `config ${n}`,
  prompts: [
    n % 2 === 0
      ? {
          raw: `Answer in ${n + 1} plain sentences, and be friendly to the customer: {{question}}`,
          label: `config ${n}`,
        }
      : {
          raw: JSON.stringify([
            { role: 'system', content: `You answer in ${n + 1} plain sentences, friendly to each customer.` },
            { role: 'user', content: '{{question}}' },
          ]),
          label: `config ${n}`,
        },
  ],
  providers: [{ id: 'echo', ...(n % 3 === 0 && { config: { temperature: 0.5 } }) }],
  tests: Array.from({ length: 1 + (n % 4) }, (_, at) => ({
    description: `000${at + 1} test`,
    vars: { question: `Question ${at}?` },
    assert: [
      { type: 'contains', value: 'Question' },
      ...(n % 5 === 0 ? [{ type: 'llm-rubric', value: 'is polite' }] : []),
    ],
  })),
});

describe('configurations of promptfoo', () => {
  it('come back as they were, 20 of them', async () => {
    const path = (n: number): string => file(`promptfoo-${n}.yaml`, yaml.stringify(promptfooOf(n)));
    await sideBySide(numbers, async (n) => {
      const told = await importing('promptfoo', path(n));
      const tests = 1 + (n % 4);
      expect(told).toMatchObject({ code: 0, notes: [], lenses: [{ state: 'new' }], datasets: [{ size: tests }] });
      const out = join(folder, `promptfoo-out-${n}.yaml`);
      const [{ id: lens = '' } = {}, { id: dataset = '' } = {}] = [...told.lenses, ...told.datasets];
      expect(await command(['export', 'promptfoo', lens, out, '--dataset', dataset])).toMatchObject({ code: 0 });
      const back = yaml.parse(readFileSync(out, 'utf8')) as { tests: { description: string }[] };
      const withoutNumber = back.tests.map((test) => ({
        ...test,
        description: test.description.slice('0001 '.length),
      }));
      expect({ ...back, tests: withoutNumber }).toEqual(promptfooOf(n));
    });
    await sideBySide([0, 1, 2, 3], async (n) => {
      const again = await importing('promptfoo', path(n));
      expect([statesOf(again.lenses), statesOf(again.datasets)]).toEqual([['unchanged'], ['unchanged']]);
    });
  });

  it('tell what is not taken, with its line', async () => {
    const path = file(
      'odd.yaml',
      `description: odd
prompts: ['Answer the question of the customer in plain and friendly words: {{question}}']
providers: [echo, 'openai:gpt-4o']
tests:
  - vars: { question: Why? }
    assert:
      - type: python
        value: print(1)
redteam: {}
`,
    );
    const told = await importing('promptfoo', path);
    expect(told.notes).toEqual([
      {
        effect: 'approximated',
        where: `${path}:providers`,
        what: expect.stringContaining('the first of 2 is the model'),
      },
      { effect: 'left out', where: `${path}:7`, what: 'tests[0].assert[0]: the assertion python is not taken' },
    ]);
  });
});

interface BatchLine {
  custom_id: string;
  method: string;
  url: string;
  body: Record<string, unknown>;
}

const batchOf = (n: number): BatchLine[] =>
  Array.from({ length: 1 + (n % 4) }, (_, at) => ({
    custom_id: `request-${at}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: {
      ...(n % 2 === 0 && { model: 'echo', temperature: 0.3 }),
      ...(n % 5 === 0 && { tools }),
      messages: [
        { role: 'system', content: `You are number ${n}: answer in plain words, and be friendly to everybody.` },
        ...(n % 3 === 0
          ? [
              { role: 'user', content: 'Are you open today?' },
              { role: 'assistant', content: 'Yes, until six.' },
            ]
          : []),
        { role: 'user', content: `Question ${at} of ${n}?` },
      ],
    },
  }));

const lines = (all: readonly unknown[]): string => all.map((each) => JSON.stringify(each)).join('\n');

describe('files of OpenAI', () => {
  it('with batch lines come back as they were, 20 of them from a folder', async () => {
    const batches = await mkdtemp(join(folder, 'batches-'));
    for (const n of numbers)
      writeFileSync(join(batches, `batch-${String(n).padStart(2, '0')}.jsonl`), lines(batchOf(n)));
    const told = await importing('openai', batches);
    expect(told).toMatchObject({ code: 0, notes: [] });
    expect(told.lenses).toHaveLength(count);
    expect(told.datasets.map(({ size }) => size)).toEqual(numbers.map((n) => batchOf(n).length));
    await sideBySide(numbers, async (n) => {
      const out = join(folder, `batch-out-${n}.jsonl`);
      const [{ id: lens = '' } = {}, { id: dataset = '' } = {}] = [told.lenses[n], told.datasets[n]];
      const outcome = await command(['export', 'openai', lens, out, '--dataset', dataset]);
      expect(outcome).toMatchObject({ code: 0, stdout: `Wrote ${batchOf(n).length} lines\n` });
      const back = readFileSync(out, 'utf8').trim().split('\n');
      expect(back.map((line) => JSON.parse(line) as BatchLine)).toEqual(batchOf(n));
    });
    const again = await importing('openai', batches);
    expect([statesOf(again.lenses), statesOf(again.datasets)]).toEqual([['unchanged'], ['unchanged']]);
  });

  it('with prompts, evals, their items and training data become lenses, scorers and datasets', async () => {
    const eval1 = {
      object: 'eval',
      id: 'eval_1',
      name: 'Capitals',
      testing_criteria: [
        {
          type: 'string_check',
          name: 'exact city',
          operation: 'eq',
          input: '{{sample.output_text}}',
          reference: '{{item.city}}',
        },
        {
          type: 'text_similarity',
          name: 'near',
          evaluation_metric: 'bleu',
          pass_threshold: 0.4,
          reference: '{{item.city}}',
        },
        {
          type: 'label_model',
          name: 'polite',
          model: 'o3',
          labels: ['yes', 'no'],
          passing_labels: ['yes'],
          input: [{ role: 'user', content: 'Is {{sample.output_text}} polite about {{item.country}}?' }],
        },
        { type: 'python', name: 'own', source: 'def grade(): return 1' },
        { type: 'text_similarity', name: 'meteor', evaluation_metric: 'meteor', reference: '{{item.city}}' },
      ],
    };
    const path = file(
      'mixed.jsonl',
      lines([
        {
          id: 'pmpt_1',
          object: 'prompt',
          name: 'Greeter',
          model: 'echo',
          instructions: 'You greet {{name}} in friendly words, in one short sentence.',
          temperature: 0.5,
          reasoning: { effort: 'high' },
          text: { format: { type: 'json_schema', name: 'a', schema } },
        },
        {
          id: 'pmpt_1',
          object: 'prompt',
          name: 'Greeter',
          model: 'echo',
          instructions: 'You greet {{name}} in very friendly words, in two short sentences.',
          tools: [{ type: 'web_search' }],
        },
        eval1,
        { item: { country: 'France', city: 'Paris' } },
        {
          object: 'eval.run.output_item',
          id: 'out_2',
          datasource_item: { country: 'Italy', city: 'Rome' },
          results: [{ name: 'exact city', score: 1 }],
        },
        {
          messages: [
            { role: 'system', content: 'Be kind.' },
            { role: 'user', content: 'Hello' },
            { role: 'assistant', content: 'Hello to you' },
          ],
        },
        { prompt: { id: 'pmpt_9', version: '2' } },
        { object: 'vector_store' },
      ]),
    );
    const told = await importing('openai', path);
    expect(told.code).toBe(0);
    expect(told.lenses).toMatchObject([{ name: 'Greeter', state: 'new', size: 2 }]);
    expect(told.scorers.map(({ name, state }) => [name, state])).toEqual([
      ['exact-city', 'new'],
      ['near', 'new'],
      ['polite', 'new'],
    ]);
    expect(told.datasets).toMatchObject([{ name: 'mixed', size: 3 }]);
    expect(new Set(whats(told, 'approximated'))).toEqual(
      new Set([
        'has no message of the user: the parameter Input became it',
        'label_model became a rubric, which the judge marks from 0 to 1',
      ]),
    );
    expect(whats(told, 'left out')).toEqual([
      'tools[0]: the type web_search',
      'the criterion python: a scorer of the kind http can run it',
      'the criterion text_similarity meteor',
      'the prompt pmpt_9 is only named: export its text',
      'is no request, prompt, batch line or eval, but a vector_store',
    ]);
    const { items: cases } = await client.datasets.listCases(String(told.datasets[0]?.id));
    expect(cases).toMatchObject([
      { params: { country: 'France' }, expected: 'Paris' },
      { params: { Input: 'Hello' }, expected: 'Hello to you', metadata: { instructions: 'Be kind.' } },
      { key: 'out_2', params: { country: 'Italy' }, expected: 'Rome', metadata: { scores: { 'exact city': 1 } } },
    ]);
    const { items: scorers } = await client.scorers.list();
    expect(scorers.find(({ name }) => name === 'polite')?.rule).toMatchObject({
      method: 'rubric',
      rubric: 'Is the output polite about {{country}}?\n\nThe output passes when its label is: yes.',
    });
  });

  it('with evals are read from the API of OpenAI, with the items of the newest run', async () => {
    const list = (data: unknown[], has_more = false): object => ({ object: 'list', data, has_more });
    const item = (n: number): object => ({ object: 'eval.run.output_item', id: `out_${n}`, datasource_item: { n } });
    const replies: Record<string, object> = {
      '/v1/evals?limit=100': list([{ object: 'eval', id: 'e 1', name: 'served evals', testing_criteria: [] }]),
      '/v1/evals/e%201/runs?limit=100': list([{ id: 'run-2' }, { id: 'run-1' }]),
      '/v1/evals/e%201/runs/run-2/output_items?limit=100': list([item(1), item(2)], true),
      '/v1/evals/e%201/runs/run-2/output_items?limit=100&after=out_2': list([item(3)]),
    };
    const server = createServer((request, response) => {
      const reply = request.headers.authorization === 'Bearer sk-1' ? replies[request.url ?? ''] : undefined;
      response.writeHead(reply ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(reply ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const told = await command(['import', 'openai', url, '--dry-run'], { OPENAI_API_KEY: 'sk-1' });
    expect([told.code, told.stdout]).toEqual([0, expect.stringMatching(/dataset +served evals +new +3 cases/)]);
    expect(await command(['import', 'openai', url])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Set OPENAI_API_KEY'),
    });
    server.close();
  });

  it.each([
    ['no JSON', 'broken.jsonl', '{"a":1}\n{"b":', /broken\.jsonl:2 is not a JSON object/],
    ['a text', 'text.json', '"text"', /text\.json is not a JSON object/],
    ['nothing', 'empty.json', '[]', /empty\.json has no objects/],
  ])('with %s are refused with the place', async (_what, name, content, message) => {
    const told = await importing('openai', file(name, content));
    expect([told.code, told.stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('that do not exist are refused', async () => {
    expect(await command(['import', 'openai', join(folder, 'none.json')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be read (ENOENT)'),
    });
    expect(await command(['import', 'promptfoo', join(folder, 'none.yaml')])).toMatchObject({ code: 2 });
  });

  it('without values for the parameters of the lens are not exported', async () => {
    const { id } = await client.datasets.create({ name: 'without values' });
    await client.datasets.changeCases(id, { save: [{ key: 'empty', params: {} }] });
    const told = await command(['export', 'openai', setup.lensId, join(folder, 'none.jsonl'), '--dataset', id]);
    expect([told.code, told.stderr]).toEqual([1, expect.stringContaining('the case empty has no value for Name')]);
  });
});
