import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
import { ConfigSource } from '../eval/config-source.js';
import { toCase } from '../eval/promptfoo/read-promptfoo.js';
import { readTests } from '../eval/promptfoo/read-tests.js';
import { requireTaken } from '../eval/read-plan.js';
import type { Input } from '../input.js';
import type { Session } from '../session.js';
import { formatOfDataset } from '../eval/sync-dataset.js';
import { time } from '../layout.js';

const list: Command = {
  name: 'dataset ls',
  summary: 'List your datasets',
  options: limitOption,
  async run(session) {
    await session.showList(
      (limit) => session.client.datasets.list({ limit }, session.call),
      [
        ['id', ({ id }) => id],
        ['name', ({ name }) => name],
        ['revision', ({ revision }) => revision],
        ['cases', ({ cases }) => cases],
        ['updated', ({ updatedAt }) => time(updatedAt)],
      ],
      'There are no datasets',
    );
  },
};

const create: Command = {
  name: 'dataset create',
  summary: 'Create a dataset, empty or with the saved cases of a lens',
  args: ['name'],
  options: { lens: { value: 'id', summary: 'copy the saved cases of this lens' } },
  async run(session, input) {
    const casesOfLens = input.text('lens');
    const body = { name: input.arg('name'), ...(casesOfLens !== undefined && { casesOfLens }) };
    const made = await session.client.datasets.create(body, session.call);
    session.show(made, () => `Created ${made.id} with ${made.cases} cases`);
  },
};

const cases: Command = {
  name: 'dataset cases',
  summary: 'List the cases of a dataset',
  args: ['id'],
  options: { ...limitOption, tag: { value: 'tag', summary: 'cases with this tag' } },
  async run(session, input) {
    const tag = input.text('tag');
    await session.showList(
      (limit) => session.client.datasets.listCases(input.arg('id'), { limit, tag }, session.call),
      [
        ['key', ({ key }) => key],
        ['params', ({ params }) => JSON.stringify(params).slice(0, 60)],
        ['expected', ({ expected }) => (expected === null ? '' : JSON.stringify(expected).slice(0, 40))],
        ['tags', ({ tags }) => tags.join(' ')],
      ],
      'There are no cases',
    );
  },
};

const describeChange = ({ revision, added, changed, removed, cases: all }: shapes.DatasetChange): string =>
  `Revision ${revision} has ${all} cases: ${added} added, ${changed} changed, ${removed} removed`;

const isYaml = (file: string): boolean => /\.ya?ml$/.test(file);

async function toYaml(json: string): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(JSON.parse(json));
}

/** The tests of a configuration of promptfoo as cases, with those of its files and scenarios. */
async function readPromptfooTests(
  session: Session,
  input: Input,
  file: string,
): Promise<Pick<shapes.DatasetImport, 'format' | 'content'>> {
  const source = await ConfigSource.open(file, await session.readText(file), session);
  // The scorer of an experiment names the judge.
  source.hasJudge = true;
  const tests = await readTests(source);
  requireTaken(source, input);
  const lines = tests.map((test, index) => JSON.stringify(toCase(test, index)));
  return { format: 'ndjson', content: lines.join('\n') };
}

const read: Command = {
  name: 'dataset import',
  summary: 'Save the cases of a .csv, .ndjson or .json file, or the tests of a promptfooconfig.yaml',
  args: ['id', 'file'],
  options: {
    replace: { summary: 'remove the cases that the file does not have' },
    message: { value: 'text', summary: 'a message for the list of revisions' },
    partial: { summary: 'leave out the parts of a promptfooconfig.yaml that cannot be taken' },
  },
  async run(session, input) {
    const file = input.arg('file');
    const message = input.text('message');
    const body = {
      ...(isYaml(file)
        ? await readPromptfooTests(session, input, file)
        : { format: formatOfDataset(file), content: await session.readText(file) }),
      replace: input.flag('replace'),
      ...(message !== undefined && { message }),
    };
    const change = await session.client.datasets.importCases(input.arg('id'), body, session.call);
    session.show(change, () => describeChange(change));
  },
};

const write: Command = {
  name: 'dataset export',
  summary: 'Write all cases of a dataset to a .csv, .ndjson or .json file, or as tests of promptfoo to a .yaml file',
  args: ['id', 'file'],
  options: { revision: { value: 'number', summary: 'an earlier revision' } },
  async run(session, input) {
    const file = input.arg('file');
    const revision = input.text('revision');
    const format = isYaml(file) ? ('promptfoo' as const) : formatOfDataset(file);
    const query = { format, ...(revision !== undefined && { revision: Number(revision) }) };
    const response = await session.client.datasets.export(input.arg('id'), query, session.call);
    await session.writeText(file, isYaml(file) ? await toYaml(await response.text()) : await response.text());
    session.show({ file }, () => `Wrote ${file}`);
  },
};

export const datasetCommands: readonly Command[] = [list, create, cases, read, write];
