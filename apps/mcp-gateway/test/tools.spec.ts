import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aWorkflow } from '@lensforge/workflows/testing';
import { tools } from '../src/catalogue.js';
import type { ObjectSchema } from './boundaries.js';
import { boundariesOf } from './boundaries.js';
import { examples } from './examples/index.js';
import type { Example, Fixtures } from './examples/fixtures.js';
import { someFixtures } from './examples/fixtures.js';
import { McpService, failureOf, contentOf } from './mcp-service.js';
import { restNamesIn } from './rest-names.js';

let service: McpService;
let world: Fixtures;

beforeAll(async () => {
  service = await McpService.start();
});
afterAll(() => service.stop());

const exampleOf = (name: string): Example => {
  const example = examples[name];
  if (!example) throw new Error(`no example for ${name}`);
  return example;
};

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  beforeAll(async () => {
    world = await someFixtures(service);
  });

  const { inputSchema } = tool.listed as { inputSchema: ObjectSchema };
  const { good, errors, names, hidden: hiddenIn } = exampleOf(name);

  it('answers with what it promises, as text and as an object', async () => {
    const fresh = await someFixtures(service);
    const answer = await service.call(name, await good(fresh), fresh.mine.bearer);
    expect(answer.isError).toBeUndefined();
    // Official clients hold it against the outputSchema (clients.spec.ts). A list is wrapped, since structuredContent is an object for every client.
    expect(Array.isArray(contentOf(answer)) ? { items: contentOf(answer) } : contentOf(answer)).toEqual(
      answer.structuredContent,
    );
  });

  for (const [code, provoke] of Object.entries(errors)) {
    it(`can fail with ${code}`, async () => {
      const failure = failureOf(await service.call(name, await provoke(world), world.mine.bearer));
      expect(failure).toMatchObject({ code, message: expect.stringMatching(/\w+ \w+/) });
      expect(restNamesIn(failure)).toEqual([]);
    });
  }

  for (const { what, change, fault } of boundariesOf(inputSchema)) {
    it(`${fault === undefined ? 'takes' : 'refuses'} ${what}`, async () => {
      const changes = fault === undefined && ['Write', 'Destructive'].includes(tool.class);
      const fresh = changes ? await someFixtures(service) : world;
      const args = change((await good(fresh)) as Record<string, unknown>);
      const answer = await service.call(name, args, fresh.mine.bearer);
      if (fault === undefined) {
        if (answer.isError) expect(failureOf(answer).message).not.toMatch(/inputSchema/);
        return;
      }
      const error = failureOf(answer);
      expect(error).toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(fault) });
      expect(error.details?.issues?.map(({ path }) => path)).toContain(fault);
    });
  }

  it('takes no arguments but an object', async () => {
    for (const args of [null, [], 'x', 7]) {
      expect(failureOf(await service.call(name, args, world.mine.bearer))).toMatchObject({ code: 'BAD_INPUT' });
    }
  });

  if (names) {
    it('says the same of what others keep to themselves and of what is not there', async () => {
      const args = (await good(world)) as Record<string, unknown>;
      const about = async (id: string) =>
        JSON.stringify(await service.call(name, { ...args, [names]: id }, world.mine.bearer)).replaceAll(id, '{id}');
      const hidden = await about((await hiddenIn?.(world)) ?? world.theirPrivate.id);
      expect(hidden).toContain('NOT_FOUND');
      expect(hidden).toBe(await about(world.missing));
    });
  }

  it('is for the organisation and service tokens that carry its scope', async () => {
    const other = tool.scope.startsWith('lenses') ? 'tokens:write' : 'lenses:write';
    for (const kind of ['organisation', 'service'] as const) {
      const fresh = await someFixtures(service);
      const args = await good(fresh);
      const without = await service.aCaller({ kind, held: [other, 'agents:read'] }, fresh.mine.accountId);
      expect(failureOf(await service.call(name, args, without.bearer))).toMatchObject({
        code: 'PERMISSION_DENIED',
        details: { scope: tool.scope },
      });
      const reads = await service.aCaller({ kind, held: [tool.scope] }, fresh.mine.accountId);
      expect((await service.call(name, args, reads.bearer)).isError).toBeUndefined();
    }
  });
});

it('tools that make, run or take away what is stored are closed to scopes that read', async () => {
  const fresh = await someFixtures(service);
  const reader = await service.aCaller(
    { kind: 'organisation', held: ['lenses:read', 'workflows:read'] },
    fresh.mine.accountId,
  );
  const open: string[] = [];
  for (const { name } of tools) {
    const answer = await service.call(name, await exampleOf(name).good(fresh), reader.bearer);
    if (!answer.isError) open.push(name);
  }
  expect(open).toEqual(tools.filter(({ scope }) => scope.endsWith(':read')).map(({ name }) => name));
  const closed = tools.filter(({ name }) => !open.includes(name)).map(({ class: kind }) => kind);
  expect(tools.filter(({ class: kind }) => ['Write', 'Destructive'].includes(kind))).toHaveLength(
    closed.filter((kind) => kind !== 'Execute').length,
  );
});

describe('run_lens with a workflow_id', () => {
  it('writes a tracking record that is pending, and says where to report its outcome', async () => {
    const { id: workflow_id } = await aWorkflow(world.mine.ctx);
    const args = { lens_id: world.myLens.id, param_values: { name: 'Ada' }, workflow_id };
    const { structuredContent: made } = await service.call('run_lens', args, world.mine.bearer);
    expect(made).toMatchObject({ persisted: true, next_step: expect.stringMatching(/\/v1\/runs\/[\w-]+\/report/) });
    const status = await service.call('get_workflow_run_status', { run_id: made?.['run_id'] }, world.mine.bearer);
    expect(status.structuredContent).toMatchObject({ status: 'pending' });
    const retried = await service.call('retry_workflow', { run_id: made?.['run_id'] }, world.mine.bearer);
    expect(failureOf(retried).code).toBe('INVALID_TRANSITION');
  });

  it('needs workflows:write, and a workflow that is there', async () => {
    const args = { lens_id: world.myLens.id, param_values: { name: 'Ada' }, workflow_id: world.missing };
    expect(failureOf(await service.call('run_lens', args, world.mine.bearer))).toMatchObject({ code: 'NOT_FOUND' });
    const reader = await service.aCaller(
      { kind: 'organisation', held: ['lenses:read', 'workflows:read'] },
      world.mine.accountId,
    );
    expect(failureOf(await service.call('run_lens', args, reader.bearer))).toMatchObject({
      code: 'PERMISSION_DENIED',
      details: { scope: 'workflows:write' },
    });
  });
});

it('calls are counted by tool, class and outcome', async () => {
  await service.call('get_lens', { lens_id: world.missing }, world.mine.bearer);
  const line = /^lensforge_tool_calls_total\{tool="get_lens",class="Read",outcome="NOT_FOUND"\S*\} [1-9]/m;
  expect(await service.metrics).toMatch(line);
});
