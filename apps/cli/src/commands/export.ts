import type { shapes } from '@lensforge/sdk';
import type { Command } from '../command.js';
import { isRecord } from '../eval/config-source.js';
import { LangfuseServer } from '../import/langfuse-server.js';
import { isKeyTag } from '../import/plan.js';
import { type Session, needed } from '../session.js';

type Members = Record<string, unknown>;

/** The address of the platform has the prompts in Langfuse's form. */
const promptsOf = async (session: Session): Promise<LangfuseServer> =>
  new LangfuseServer(session.apiUrl, { publicKey: 'lensforge', secretKey: await session.bearer() }, session.signal);

const toLangfuse: Command = {
  name: 'export langfuse',
  summary: 'Write your lenses with their versions, and datasets, as prompts and datasets of Langfuse to a JSON file',
  args: ['file'],
  options: {
    lens: { value: 'id', repeated: true, summary: 'only this lens; can be repeated' },
    dataset: { value: 'id', repeated: true, summary: 'only this dataset; can be repeated' },
  },
  async run(session, input) {
    const { client, call } = session;
    const [lenses, wanted] = [input.list('lens'), input.list('dataset')];
    const all = lenses.length === 0 && wanted.length === 0;
    const server = await promptsOf(session);
    const prompts: Members[] = [];
    if (all) prompts.push(...(await server.readPrompts()).map(({ value }) => toPrompt(value, String(value['name']))));
    for (const id of lenses) {
      const { title } = await client.lenses.get(id, call);
      prompts.push(...(await server.readVersions(`lens:${id}`)).map(({ value }) => toPrompt(value, toSlug(title))));
    }
    const datasets: Members[] = [];
    const items: Members[] = [];
    const ids = all ? await idsOfDatasets(session) : wanted;
    for (const id of ids) {
      const { name, description } = await client.datasets.get(id, call);
      datasets.push({ id, name, description, metadata: null });
      for await (const each of client.datasets.listCases(id, { limit: 100 }, call)) items.push(toItem(each, id, name));
    }
    await session.writeText(
      input.arg('file'),
      `${JSON.stringify({ prompts, datasets, datasetItems: items }, null, 2)}\n`,
    );
    const size = { prompts: prompts.length, datasets: datasets.length, items: items.length };
    session.show(
      size,
      () => `Wrote ${size.prompts} versions of prompts, ${size.datasets} datasets and ${size.items} items`,
    );
  },
};

async function idsOfDatasets({ client, call }: Session): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of client.datasets.list({ limit: 100 }, call)) ids.push(id);
  return ids;
}

/** A prompt without the handle of its owner, and with a configuration that other programs know. */
function toPrompt(prompt: Members, name: string): Members {
  const { settings: _, ...config } = isRecord(prompt['config']) ? prompt['config'] : {};
  const tags = (Array.isArray(prompt['tags']) ? (prompt['tags'] as string[]) : []).filter((tag) => !isKeyTag(tag));
  return { ...prompt, name: name.slice(name.indexOf('/') + 1), config, tags };
}

const toSlug = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

const toItem = ({ key, params, expected, metadata }: shapes.DatasetCase, datasetId: string, name: string): Members => ({
  id: key,
  datasetId,
  datasetName: name,
  input: params,
  expectedOutput: expected ?? null,
  metadata: metadata ?? null,
  status: 'ACTIVE',
});

const toPromptfoo: Command = {
  name: 'export promptfoo',
  summary: 'Write a lens and a dataset as a promptfooconfig.yaml',
  args: ['lens', 'file'],
  options: {
    dataset: { value: 'id', summary: 'the dataset whose cases are the tests' },
    label: { value: 'label', summary: 'the version of this label; the newest when absent' },
  },
  async run(session, input) {
    const { client, call } = session;
    const server = await promptsOf(session);
    const prompt = await server.readPrompt(`lens:${input.arg('lens')}`, input.text('label') ?? 'latest');
    const { title } = await client.lenses.get(input.arg('lens'), call);
    const dataset = input.text('dataset');
    const file =
      dataset === undefined ? undefined : await client.datasets.export(dataset, { format: 'promptfoo' }, call);
    const { settings, model: _, ...config } = isRecord(prompt['config']) ? prompt['config'] : {};
    const [model] = isRecord(settings) && Array.isArray(settings['models']) ? (settings['models'] as string[]) : [];
    const { prompt: text } = prompt;
    const content = {
      description: title,
      prompts: [
        { raw: typeof text === 'string' ? text : JSON.stringify(withoutPlaceholders(session, text)), label: title },
      ],
      ...(model !== undefined && {
        providers: [{ id: toProvider(model), ...(Object.keys(config).length > 0 && { config }) }],
      }),
      ...(file && { tests: await readJsonOf(file) }),
    };
    const { stringify } = await import('yaml');
    await session.writeText(input.arg('file'), stringify(content, { lineWidth: 0 }));
    session.show({ file: input.arg('file') }, () => `Wrote ${input.arg('file')}`);
  },
};

const readJsonOf = (file: Response): Promise<unknown> => file.json();

const prefixes: Readonly<Record<string, string>> = {
  openai: 'openai:chat:',
  anthropic: 'anthropic:messages:',
  google: 'google:',
};

/** openai/gpt-4o-mini is openai:chat:gpt-4o-mini there. */
function toProvider(model: string): string {
  if (model === 'offline/echo') return 'echo';
  const [provider, key] = [model.slice(0, model.indexOf('/')), model.slice(model.indexOf('/') + 1)];
  return `${prefixes[provider] ?? `${provider}:`}${key}`;
}

function withoutPlaceholders({ terminal }: Session, messages: unknown): unknown[] {
  const all = Array.isArray(messages) ? (messages as unknown[]) : [];
  const kept = all.filter((each) => isRecord(each) && each['type'] !== 'placeholder');
  if (kept.length < all.length)
    terminal.message('left out: the place of earlier messages, which promptfoo does not have');
  return kept.map((each) => {
    const { role, content } = each as Members;
    return { role, content };
  });
}

const toOpenAi: Command = {
  name: 'export openai',
  summary: 'Write the prompts of a lens for the cases of a dataset as lines for a batch of OpenAI',
  args: ['lens', 'file'],
  options: {
    dataset: { value: 'id', summary: 'the dataset with the values' },
    version: { value: 'version', summary: 'a version or label; the one that callers get when absent' },
  },
  async run(session, input) {
    const version = input.text('version');
    const query = {
      format: 'openai-batch' as const,
      lensId: input.arg('lens'),
      ...(version !== undefined && { version }),
    };
    const response = await session.client.datasets.export(needed(input, 'dataset', '<id>'), query, session.call);
    const text = await response.text();
    await session.writeText(input.arg('file'), text);
    const lines = text.split('\n').length - 1;
    session.show({ file: input.arg('file'), lines }, () => `Wrote ${lines} lines`);
  },
};

export const exportCommands: readonly Command[] = [toOpenAi, toLangfuse, toPromptfoo];
