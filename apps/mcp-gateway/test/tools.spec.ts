import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tools } from '@lensforge/tools';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type ObjectSchema, boundariesOf } from './boundaries.js';
import { examples, toolsOfTokens } from './examples/index.js';
import { type Example, type Fixtures, someFixtures } from './examples/fixtures.js';
import { McpService, failureOf, contentOf } from './mcp-service.js';
import { restNamesIn } from './rest-names.js';

let service: McpService;
let fixtures: Fixtures;

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
    fixtures = await someFixtures(service);
  });

  const { inputSchema } = tool.listed as { inputSchema: ObjectSchema };
  const { good, errors, names, hidden: hiddenIn } = exampleOf(name);

  it('returns the same result as text and as structuredContent, if tokens can call it', async () => {
    const fresh = await someFixtures(service);
    const answer = await service.call(name, await good(fresh), fresh.mine.bearer);
    if (!toolsOfTokens.includes(tool)) {
      expect(failureOf(answer).code).toBe('PERMISSION_DENIED');
      return;
    }
    expect(answer.isError).toBeUndefined();
    // Official clients validate it against the outputSchema (clients.spec.ts). A list is wrapped, since structuredContent must be an object.
    expect(Array.isArray(contentOf(answer)) ? { items: contentOf(answer) } : contentOf(answer)).toEqual(
      answer.structuredContent,
    );
  });

  for (const [code, provoke] of Object.entries(errors)) {
    it(`can fail with ${code}`, async () => {
      const failure = failureOf(await service.call(name, await provoke(fixtures), fixtures.mine.bearer));
      expect(failure).toMatchObject({ code, message: expect.stringMatching(/\w+ \w+/) });
      expect(restNamesIn(failure)).toEqual([]);
    });
  }

  for (const { what, change, fault } of boundariesOf(inputSchema)) {
    it(`${fault === undefined ? 'accepts' : 'refuses'} ${what}`, async () => {
      const changes = fault === undefined && ['Write', 'Destructive'].includes(tool.class);
      const fresh = changes ? await someFixtures(service) : fixtures;
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

  it('refuses arguments that are not an object', async () => {
    for (const args of [null, [], 'x', 7]) {
      expect(failureOf(await service.call(name, args, fixtures.mine.bearer))).toMatchObject({ code: 'BAD_INPUT' });
    }
  });

  if (names) {
    it('gives the same answer for a private object of another account and for a missing one', async () => {
      const args = (await good(fixtures)) as Record<string, unknown>;
      const about = async (id: string) =>
        JSON.stringify(await service.call(name, { ...args, [names]: id }, fixtures.mine.bearer)).replaceAll(id, '{id}');
      const hidden = await about((await hiddenIn?.(fixtures)) ?? fixtures.theirPrivate.id);
      expect(hidden).toContain('NOT_FOUND');
      expect(hidden).toBe(await about(fixtures.missing));
    });
  }

  it('accepts only opaque tokens with its scope', async () => {
    const other = tool.scope.startsWith('lenses') ? 'tokens:write' : 'lenses:write';
    for (const kind of ['mcp', 'organisation', 'service'] as const) {
      const fresh = await someFixtures(service);
      const args = await good(fresh);
      const without = await service.aCaller({ kind, held: [other, 'threads:read'] }, fresh.mine.accountId);
      expect(failureOf(await service.call(name, args, without.bearer))).toMatchObject({
        code: 'PERMISSION_DENIED',
        details: { scope: tool.scope },
      });
      if (!toolsOfTokens.includes(tool)) continue;
      const reads = await service.aCaller({ kind, held: [tool.scope] }, fresh.mine.accountId);
      expect((await service.call(name, args, reads.bearer)).isError).toBeUndefined();
    }
  });
});

it('read scopes call only tools that read', async () => {
  const fresh = await someFixtures(service);
  const reader = await service.aCaller(
    { kind: 'organisation', held: ['lenses:read', 'workflows:read', 'agents:read', 'community:read'] },
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
  it('writes a pending tracking record and names the endpoint to report its outcome', async () => {
    const { id: workflow_id } = await aWorkflow(fixtures.mine.ctx);
    const args = { lens_id: fixtures.myLens.id, param_values: { name: 'Ada' }, workflow_id };
    const { structuredContent: made } = await service.call('run_lens', args, fixtures.mine.bearer);
    expect(made).toMatchObject({ persisted: true, next_step: expect.stringMatching(/\/v1\/runs\/[\w-]+\/report/) });
    const status = await service.call('get_workflow_run_status', { run_id: made?.['run_id'] }, fixtures.mine.bearer);
    expect(status.structuredContent).toMatchObject({ status: 'pending' });
    const retried = await service.call('retry_workflow', { run_id: made?.['run_id'] }, fixtures.mine.bearer);
    expect(failureOf(retried).code).toBe('INVALID_TRANSITION');
  });

  it('needs workflows:write and an existing workflow', async () => {
    const args = { lens_id: fixtures.myLens.id, param_values: { name: 'Ada' }, workflow_id: fixtures.missing };
    expect(failureOf(await service.call('run_lens', args, fixtures.mine.bearer))).toMatchObject({ code: 'NOT_FOUND' });
    const reader = await service.aCaller(
      { kind: 'organisation', held: ['lenses:read', 'workflows:read'] },
      fixtures.mine.accountId,
    );
    expect(failureOf(await service.call('run_lens', args, reader.bearer))).toMatchObject({
      code: 'PERMISSION_DENIED',
      details: { scope: 'workflows:write' },
    });
  });
});

it('create_ai_lenser allows as many as the setting says', async () => {
  const strict = await McpService.start(tools, { LENSFORGE_AI_LENSERS_PER_OWNER: '1' });
  try {
    const { bearer } = await strict.aCaller();
    const create = (handle: string) => strict.call('create_ai_lenser', { handle, display_name: 'Critic' }, bearer);
    expect((await create('the-first')).isError).toBeUndefined();
    expect(failureOf(await create('the-second'))).toMatchObject({ code: 'THROTTLED', details: { limit: 1 } });
  } finally {
    await strict.stop();
  }
});

it('the metrics count calls by tool, class and outcome', async () => {
  await service.call('get_lens', { lens_id: fixtures.missing }, fixtures.mine.bearer);
  const line = /^lensforge_tool_calls_total\{tool="get_lens",class="Read",outcome="NOT_FOUND"\S*\} [1-9]/m;
  expect(await service.metrics).toMatch(line);
});
