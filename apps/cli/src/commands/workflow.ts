import type { shapes } from '@lensforge/sdk';
import { type Command, limitOption } from '../command.js';
import { UsageFault } from '../faults.js';
import { fields, table, time } from '../layout.js';
import { assignments, needed } from '../session.js';
import { workflowLabel } from './label.js';
import { workflowStats } from './stats.js';
import { readFunding, fundingOptions, showAccepted } from './lens.js';

interface Graph {
  nodes?: { id?: unknown; type?: unknown; title?: unknown }[];
  edges?: { from?: unknown; to?: unknown; when?: unknown }[];
}

const list: Command = {
  name: 'workflow ls',
  summary: 'List workflows',
  options: limitOption,
  async run(session) {
    await session.showList(
      (limit) => session.client.workflows.list({ limit }, session.call),
      [
        ['id', ({ id }) => id],
        ['title', ({ title }) => title],
        ['version', ({ headVersion }) => headVersion.number],
        ['visibility', ({ visibility }) => visibility],
        ['updated', ({ updatedAt }) => time(updatedAt)],
      ],
      'There are no workflows',
    );
  },
};

const get: Command = {
  name: 'workflow get',
  summary: 'Show a workflow',
  args: ['id'],
  async run(session, input) {
    const workflow = await session.client.workflows.get(input.arg('id'), session.call);
    session.show(workflow, () =>
      fields({
        id: workflow.id,
        title: workflow.title,
        description: workflow.description,
        author: `@${workflow.author.handle}`,
        version: workflow.headVersion.number,
        nodes: workflow.headVersion.nodeCount,
        visibility: workflow.visibility,
        labels: workflow.labels.map(({ label, number }) => `${label}=${number}`).join(', '),
        'default label': workflow.defaultLabel ?? undefined,
        schedules: workflow.schedules.map(({ cron }) => cron).join(', '),
        updated: time(workflow.updatedAt),
      }),
    );
  },
};

const apply: Command = {
  name: 'workflow apply',
  summary: 'Create a workflow from a file, or save its graph as a new version of one',
  args: ['[id]'],
  options: {
    file: {
      value: 'path',
      short: 'f',
      summary: 'JSON: a graph, or {id, title, description, visibility, graph}; - for stdin',
    },
    title: { value: 'text', summary: 'the title of a new workflow' },
    changelog: { value: 'text', summary: 'the changelog of the version' },
    base: { value: 'id', summary: 'the version that was changed: fail when a newer one was saved meanwhile' },
  },
  async run(session, input) {
    const file = await session.readJson(needed(input, 'file', '<path>'));
    const { id, title, description, visibility, graph = file, ...unknown } = 'graph' in file ? file : { graph: file };
    const [other] = Object.keys(unknown);
    if (other !== undefined && 'graph' in file)
      throw new UsageFault(
        `${other} is no member of a workflow`,
        'It has id, title, description, visibility and graph',
      );
    const target = input.optionalArg('id') ?? id;
    const profile = { title: input.text('title') ?? title, description, visibility };
    const { workflows } = session.client;
    if (target === undefined) {
      if (profile.title === undefined)
        throw new UsageFault('A new workflow needs a title', "Add --title 'My workflow'");
      const made = await workflows.create({ ...profile, graph } as shapes.NewWorkflowRequest, session.call);
      session.show(made, () => made.id);
      return;
    }
    if (typeof target !== 'string') throw new UsageFault('id is not a text', 'Give the id of the workflow');
    const changes = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
    const changelog = input.text('changelog');
    const base = input.text('base');
    const body = {
      graph,
      ...(changelog !== undefined && { changelog }),
      ...(base !== undefined && { baseVersionId: base }),
    } as shapes.WorkflowGraphRequest;
    const version = await workflows.saveGraph(target, body, session.call);
    if (Object.keys(changes).length > 0) await workflows.update(target, changes, session.call);
    session.show(version, () => `${target} is at version ${version.number}`);
  },
};

const run: Command = {
  name: 'workflow run',
  summary: 'Run a workflow; prints the id of the run, or its output with --watch',
  args: ['id'],
  options: {
    input: {
      value: 'name=value',
      short: 'i',
      repeated: true,
      summary: 'an input; name=@file reads a file, name:=json takes JSON',
    },
    inputs: { value: 'path', summary: 'a JSON file with inputs; - for stdin' },
    version: { value: 'version', summary: 'the id or number of a version' },
    ...fundingOptions,
  },
  async run(session, input) {
    const file = input.text('inputs');
    const inputs = {
      ...(file !== undefined && (await session.readJson(file))),
      ...(await assignments(session, input, 'input')),
    };
    const version = input.text('version');
    const body = { inputs, ...readFunding(input), ...(version !== undefined && { version }) };
    const accepted = await session.client.workflows.run(input.arg('id'), body, session.call);
    await showAccepted(session, input, accepted);
  },
};

const graph: Command = {
  name: 'workflow graph',
  summary: 'Show the nodes and edges of a workflow, or of a version',
  args: ['id', '[version]'],
  async run(session, input) {
    const { workflows } = session.client;
    const version = input.optionalArg('version');
    const found =
      version === undefined
        ? (await workflows.get(input.arg('id'), session.call)).headVersion
        : await workflows.getVersion(input.arg('id'), version, session.call);
    const { nodes = [], edges = [] } = (found.graph ?? {}) as Graph;
    const describeNext = (id: unknown): string =>
      edges
        .filter(({ from }) => from === id)
        .map(({ to, when }) => (typeof when === 'string' ? `${String(to)} (when ${when})` : String(to)))
        .join(', ');
    session.show(found.graph, () =>
      table(
        [
          ['node', ({ id }) => id],
          ['type', ({ type }) => type],
          ['next', ({ id }) => describeNext(id)],
        ],
        nodes,
      ),
    );
  },
};

export const workflowCommands: readonly Command[] = [list, get, apply, workflowLabel, workflowStats, run, graph];
