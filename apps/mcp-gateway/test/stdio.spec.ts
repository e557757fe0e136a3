import { PassThrough } from 'node:stream';
import { type Context, platformActor } from '@lensforge/core';
import { issueServiceRoleKey, issueAnonymousToken, openSigningKeys, rotateSigningKeys } from '@lensforge/identity';
import { actingAs, anAccount, anAiLenser } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { aContext, until } from '@lensforge/testing';
import { keyRing } from '@lensforge/vault';
import { aWorkflow } from '@lensforge/workflows/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import type { DataSource } from 'typeorm';
import { runStdio } from '../src/stdio-program.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let key: string;

const ring = keyRing([{ version: 1, key: Buffer.alloc(32, 7).toString('base64') }]);
const issuer = 'http://localhost:4200/id';

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  ctx = { ...aContext(source.manager), actor: platformActor };
  key = await issueServiceRoleKey(ctx, { ring, issuer });
});
afterAll(() => database.close());

interface Reply {
  id: unknown;
  result?: { content?: { text: string }[]; isError?: boolean; [member: string]: unknown };
  error?: { code: number };
}

/** A stdio session; each line is one message of the protocol. */
function begin(environment: Record<string, string> = {}) {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let written = '';
  let logged = '';
  output.on('data', (chunk: Buffer) => (written += chunk.toString()));
  errors.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const given = { DATABASE_URL: database.url, LENSFORGE_SERVICE_ROLE_KEY: key, NODE_ENV: 'test', ...environment };
  const ended = runStdio({ environment: given, input, output, errors });
  const replies = () =>
    written
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Reply);
  return {
    ended,
    input,
    output,
    replies,
    logged: () => logged,
    send: (...messages: unknown[]) => {
      for (const message of messages)
        input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    },
    /** Ends the input and resolves with all replies. */
    async finish(): Promise<Reply[]> {
      input.end();
      await ended;
      return replies();
    },
  };
}

const request = (id: unknown, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const call = (id: unknown, name: string, args: object) => request(id, 'tools/call', { name, arguments: args });
const textOf = (reply: Reply | undefined) =>
  JSON.parse(reply?.result?.content?.[0]?.text ?? 'null') as Record<string, unknown>;

describe('the stdio server', () => {
  it('answers messages of both protocol eras line by line and ends with its input', async () => {
    const session = begin();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    session.send(
      request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      request(2, 'tools/list'),
      request('three', 'server/discover', { _meta }),
      '',
      'no json',
      '{}',
    );
    const replies = await session.finish();
    const byId = new Map(replies.map((reply) => [reply.id, reply]));
    expect(byId.get(1)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    expect(byId.get(2)).toMatchObject({ result: { tools: expect.any(Array) } });
    expect(byId.get('three')).toMatchObject({ result: { resultType: 'complete' } });
    expect(replies.flatMap(({ error }) => error?.code ?? [])).toEqual([-32700, -32600]);
    expect(replies).toHaveLength(5);
  });

  it('answers open requests before it ends', async () => {
    const lens = await aLens(actingAs(ctx, (await anAccount(ctx)).id));
    const session = begin();
    session.send(...Array.from({ length: 50 }, (_, id) => call(id, 'get_lens', { lens_id: lens.id })));
    const replies = await session.finish();
    expect(replies.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))).toEqual([...Array(50).keys()]);
    expect(replies.every((reply) => textOf(reply)['id'] === lens.id)).toBe(true);
  });

  it('reads private lenses, and creates nothing without a configured lenser', async () => {
    const { id: owner } = await anAccount(ctx);
    const lens = await aLens(actingAs(ctx, owner), { visibility: 'private' });
    const args = { title: 'Made here', template_body: 'x'.repeat(60) };
    const session = begin();
    session.send(
      call(1, 'get_lens', { lens_id: lens.id }),
      call(2, 'create_lens', args),
      call(3, 'fork_lens', { source_lens_id: lens.id }),
      call(4, 'create_workflow', { title: 'Made here' }),
      call(5, 'run_workflow', { workflow_id: lens.id }),
      call(6, 'run_lens', { lens_id: lens.id, workflow_id: lens.id }),
      call(7, 'create_ai_lenser', { handle: 'made-here', display_name: 'Made here' }),
      call(8, 'create_battle', { title: 'Made here', task_prompt: 'Write.' }),
      call(9, 'get_battle_history', {}),
    );
    const replies = await session.finish();
    expect(textOf(replies.find(({ id }) => id === 1))).toMatchObject({ id: lens.id });
    for (const tried of [2, 3, 4, 5, 6, 7, 8, 9]) {
      expect(textOf(replies.find(({ id }) => id === tried))).toMatchObject({
        error: { code: 'MISSING_LENSER', message: expect.stringContaining('LENSFORGE_DEFAULT_LENSER_ID') },
      });
    }
    const withLenser = begin({ LENSFORGE_DEFAULT_LENSER_ID: owner });
    withLenser.send(call(1, 'create_lens', args));
    expect(textOf((await withLenser.finish())[0])).toMatchObject({ title: 'Made here', lenser_id: owner });
  });

  it('creates for people and communities only, and AI lensers for people only', async () => {
    const { id: owner } = await anAccount(ctx);
    const { id: community } = await anAccount(ctx, { kind: 'community' });
    const { id: aiLenser } = await anAiLenser(actingAs(ctx, owner));
    const named = (handle: string) => ({ handle, display_name: 'Made here' });
    const session = begin();
    session.send(
      call(1, 'create_ai_lenser', { ...named('for-a-person'), owner_lenser_id: owner }),
      call(2, 'create_ai_lenser', { ...named('for-a-community'), owner_lenser_id: community }),
      call(3, 'create_ai_lenser', { ...named('for-an-ai-lenser'), owner_lenser_id: aiLenser }),
      call(4, 'create_workflow', { title: 'Made here', lenser_id: aiLenser }),
    );
    const replies = new Map((await session.finish()).map((reply) => [reply.id, textOf(reply)]));
    expect(replies.get(1)).toMatchObject({ owner_lenser_id: owner, instructions: '' });
    expect(replies.get(2)).toMatchObject({ error: { code: 'FORBIDDEN' } });
    expect(replies.get(3)).toMatchObject({
      error: { code: 'BAD_INPUT', details: { issues: [{ path: 'owner_lenser_id' }] } },
    });
    expect(replies.get(4)).toMatchObject({
      error: { code: 'BAD_INPUT', details: { issues: [{ path: 'lenser_id' }] } },
    });
  });

  it('starts team runs, up to the number of a day, and refuses what cannot run', async () => {
    const owner = actingAs(ctx, (await anAccount(ctx)).id);
    const [{ id: agent }, { id: archived }] = [await anAiLenser(owner), await anAiLenser(owner, { archived: true })];
    const { id: workflow } = await aWorkflow(owner);
    const inputs = { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } };
    const { id: asking } = await aWorkflow(owner, { graph: { nodes: [], inputs } });
    const start = (id: number, args: object) =>
      call(id, 'start_agent_team_run', { ai_lenser_id: agent, workflow_id: workflow, ...args });
    const session = begin({ LENSFORGE_TEAM_RUNS_PER_DAY: '2' });
    session.send(start(1, {}), start(2, { policy: 'manual' }));
    await until(() => session.replies().length === 2);
    session.send(
      start(3, {}),
      start(4, { ai_lenser_id: archived }),
      start(5, { ai_lenser_id: workflow }),
      start(6, { policy: 'often' }),
    );
    await until(() => session.replies().length === 6);
    await source.query('delete from agent_days');
    session.send(start(7, { workflow_id: agent }), start(8, { workflow_id: asking }));
    const replies = new Map((await session.finish()).map((reply) => [reply.id, textOf(reply)]));
    const started = { ai_lenser_id: agent, workflow_id: workflow, team_run_id: expect.any(String) };
    expect(replies.get(1)).toMatchObject({ ...started, policy: 'auto', status: 'queued' });
    expect(replies.get(2)).toMatchObject({ ...started, policy: 'manual', status: 'blocked' });
    const details = { reason: 'team_runs', limit: 2, retry_after: expect.any(Number) };
    expect(replies.get(3)).toMatchObject({ error: { code: 'THROTTLED', details } });
    const codes = [4, 5, 6, 7, 8].map((id) => (replies.get(id)?.['error'] as { code?: string } | undefined)?.code);
    expect(codes).toEqual(['CONFLICT', 'NOT_FOUND', 'BAD_INPUT', 'NOT_FOUND', 'BAD_INPUT']);
  });

  it('sends no reply to a cancelled request', async () => {
    const session = begin();
    session.send(
      call(1, 'search_lenses', { query: 'x' }),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      request(2, 'ping'),
    );
    expect((await session.finish()).map(({ id }) => id)).toEqual([2]);
  });

  it('ends when its output is closed', async () => {
    const session = begin();
    session.send(request(1, 'ping'));
    await until(() => session.replies().length === 1);
    session.output.destroy();
    await expect(session.ended).resolves.toBeUndefined();
  });

  it('logs calls without their arguments to the error stream at level info', async () => {
    const session = begin({ LOG_LEVEL: 'info' });
    session.send(call(1, 'search_lenses', { query: 'a-secret-word' }));
    await session.finish();
    expect(session.logged()).toContain('"tool":"search_lenses"');
    expect(session.logged()).not.toContain('a-secret-word');
  });
});

describe('the start of the stdio server', () => {
  const startupError = async (environment: Record<string, string>) => {
    const failure = await begin(environment).ended.then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    return failure ?? '';
  };

  it('names a setting that is missing or wrong', async () => {
    expect(await startupError({ LENSFORGE_SERVICE_ROLE_KEY: '' })).toContain('LENSFORGE_SERVICE_ROLE_KEY is missing');
    expect(await startupError({ DATABASE_URL: '' })).toContain('DATABASE_URL is missing');
    expect(await startupError({ LENSFORGE_DEFAULT_LENSER_ID: 'x' })).toContain('LENSFORGE_DEFAULT_LENSER_ID');
    expect(await startupError({ NODE_ENV: 'production' })).toContain('is for development');
    const unknownId = '01900000-0000-7000-8000-000000000000';
    const { id: aiLenser } = await anAiLenser(actingAs(ctx, (await anAccount(ctx)).id));
    for (const id of [unknownId, aiLenser]) {
      const fault = `there is no person or community with the id ${id}`;
      expect(await startupError({ LENSFORGE_DEFAULT_LENSER_ID: id })).toContain(fault);
    }
    expect(await startupError({ DATABASE_URL: 'postgres://x:secret@127.0.0.1:1/x' })).toMatch(
      /^(?!.*secret).*127.0.0.1:1\/x/,
    );
  });

  it('accepts only a service role key whose signing key is still in use', async () => {
    const signing = await openSigningKeys({ db: source.manager, ring, issuer });
    const { accessToken } = await issueAnonymousToken(ctx, signing);
    const [head, , signature] = key.split('.');
    const forged = `${head}.${Buffer.from('{"role":"service_role"}').toString('base64url')}.${signature}`;
    for (const value of ['x', 'x.y.z', accessToken, forged, key.slice(0, -4)]) {
      expect(await startupError({ LENSFORGE_SERVICE_ROLE_KEY: value })).toContain('is not a service role key');
    }
    await rotateSigningKeys(ctx, ring);
    const session = begin();
    session.send(request(1, 'ping'));
    expect(await session.finish()).toHaveLength(1);
    await source.query(`update signing_keys set retires_at = now() where retires_at is not null`);
    expect(await startupError({})).toContain('has been replaced');
  });
});
