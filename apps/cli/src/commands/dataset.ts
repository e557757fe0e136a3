import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
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

const read: Command = {
  name: 'dataset import',
  summary: 'Save the cases of a .csv, .ndjson or .json file as a new revision',
  args: ['id', 'file'],
  options: {
    replace: { summary: 'remove the cases that the file does not have' },
    message: { value: 'text', summary: 'a message for the list of revisions' },
  },
  async run(session, input) {
    const file = input.arg('file');
    const message = input.text('message');
    const body = {
      format: formatOfDataset(file),
      content: await session.readText(file),
      replace: input.flag('replace'),
      ...(message !== undefined && { message }),
    };
    const change = await session.client.datasets.importCases(input.arg('id'), body, session.call);
    session.show(change, () => describeChange(change));
  },
};

const write: Command = {
  name: 'dataset export',
  summary: 'Write all cases of a dataset to a .csv, .ndjson or .json file',
  args: ['id', 'file'],
  options: { revision: { value: 'number', summary: 'an earlier revision' } },
  async run(session, input) {
    const file = input.arg('file');
    const revision = input.text('revision');
    const query = { format: formatOfDataset(file), ...(revision !== undefined && { revision: Number(revision) }) };
    const response = await session.client.datasets.export(input.arg('id'), query, session.call);
    await session.writeText(file, await response.text());
    session.show({ file }, () => `Wrote ${file}`);
  },
};

export const datasetCommands: readonly Command[] = [list, create, cases, read, write];
