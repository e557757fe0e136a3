import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Endpoint,
  PlatformExecutionAccepted,
  ScheduleItem,
  ScheduleRecord,
  WorkflowDiffReply,
  WorkflowDryRunReply,
  WorkflowItem,
  WorkflowRecord,
  WorkflowVersionRecord,
  endpoints,
  parse,
} from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { aPricedModel } from '@lensforge/models/testing';
import { createSchedule, setWorkflowLabel, updateWorkflow } from '@lensforge/workflows';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type Answer, type Gateway, aGateway } from './gateway.js';

const examples = fileURLToPath(new URL('../../../examples/workflows/', import.meta.url));
const step = (id: string, expression = '1') => ({ id, type: 'transform', settings: { expression } });
const asking = { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } };
const graph = {
  nodes: [step('a', 'inputs.topic'), step('b', 'nodes.a.output + "!"'), step('c')],
  edges: [
    { from: 'a', to: 'b', when: 'nodes.a.output != "no"' },
    { from: 'b', to: 'c' },
  ],
  inputs: asking,
};

let gateway: Gateway;
let mine: { workflowId: string; scheduleId: string; versionId: string; label: string };
/** Workflows of another account: one public, one private. */
let open: typeof mine;
let hidden: typeof mine;

beforeAll(async () => {
  gateway = await aGateway({ LENSFORGE_RATE_RUN_PER_MINUTE: '100000', LENSFORGE_RATE_LIST_PER_MINUTE: '100000' });
  const other = actingAs(gateway.ctx, (await anAccount(gateway.ctx)).id);
  const idsOf = async (ctx: typeof other, visibility: 'public' | 'private', of: object = {}) => {
    const { id: workflowId } = await aWorkflow(ctx, { visibility, ...of });
    const { id: scheduleId } = await createSchedule(ctx, { workflowId, cron: '0 0 1 1 *' });
    return { workflowId, scheduleId, versionId: '1', label: 'production' };
  };
  mine = await idsOf(actingAs(gateway.ctx, gateway.accountId), 'private');
  [open, hidden] = [await idsOf(other, 'public', { title: 'Open to all' }), await idsOf(other, 'private')];
});
afterAll(() => gateway.stop());

type Options = Parameters<Gateway['call']>[2];
const call = (row: Endpoint, ids: object = {}, options: Options = {}, query = ''): Promise<Answer> =>
  gateway.call(
    row.method,
    row.path.replace(/\{(\w+)\}/g, (_, name: string) => (ids as Record<string, string>)[name] ?? '') + query,
    options,
  );
const codeOf = ({ status, body: { error } }: Answer): unknown[] => [status, error?.code];
const made = async (body: object): Promise<WorkflowRecord> => {
  const { status, body: answer } = await call(endpoints.createWorkflow, {}, { body: { title: 'Mine', ...body } });
  expect([status, answer.error]).toEqual([201, null]);
  return parse(WorkflowRecord, answer.data, { skipJsonRules: true });
};

const rows = Object.values<Endpoint>(endpoints).filter(({ path }) => /^\/v1\/(workflows|schedules)/.test(path));
const good: Record<string, object> = {
  runWorkflow: { inputs: {} },
  createWorkflow: { title: 'New' },
  importWorkflow: {
    format: 'lensforge.workflow',
    formatVersion: 1,
    title: 'Imported',
    versions: [{ graph: { nodes: [] }, createdAt: '2026-01-01T00:00:00Z' }],
  },
  updateWorkflow: { title: 'Another' },
  saveWorkflowCandidate: { graph: { nodes: [] } },
  saveWorkflowGraph: { graph: { nodes: [] } },
  setWorkflowLabel: { version: '1' },
  dryRunWorkflow: {},
  evaluateExpression: { expression: '1', runId: newId() },
  createSchedule: { cron: '0 0 1 1 *' },
  updateSchedule: { title: 'Another' },
};
const queryOf = ({ id }: Endpoint): string => (id === 'diffWorkflowVersions' ? '?from=1' : '');
const sent = ({ id }: Endpoint): Options => (good[id] ? { body: good[id] } : {});
const ofSchedule = ({ path }: Endpoint): boolean => path.startsWith('/v1/schedules');

describe('a candidate of a workflow', () => {
  it('is saved once, runs by its id, and is no version that callers get', async () => {
    const { id: workflowId, headVersion } = await made({ title: 'Tried' });
    const graph = { nodes: [{ id: 'tried', type: 'transform', settings: { expression: 'inputs.a' } }], edges: [] };
    const save = async (nodes: object): Promise<Record<string, unknown>> => {
      const answer = await call(endpoints.saveWorkflowCandidate, { workflowId }, { body: { graph: nodes } });
      expect([answer.status, answer.body.error]).toEqual([200, null]);
      return answer.body.data ?? {};
    };
    const candidate = await save(graph);
    expect(candidate).toEqual({ id: expect.any(String), number: 1, isCandidate: true });
    expect(await save(graph)).toEqual(candidate);
    expect(await save(headVersion.graph as object)).toEqual({ id: headVersion.id, number: 1, isCandidate: false });
    const run = await call(
      endpoints.runWorkflow,
      { workflowId },
      { body: { version: candidate['id'], inputs: { a: 1 } } },
    );
    const read = await call(endpoints.getRun, { runId: String(run.body.data?.['runId']) });
    expect(read.body.data).toMatchObject({ workflowVersionId: candidate['id'] });
    const listed = await call(endpoints.listRuns, {}, {}, `?workflowId=${workflowId}`);
    expect(listed.body.data).toMatchObject([{ version: expect.stringMatching(/^1-candidate\.x[0-9a-f]{6}$/) }]);
    const versions = await call(endpoints.listWorkflowVersions, { workflowId });
    expect(versions.body).toMatchObject({ data: [{ id: headVersion.id }], meta: { total: 1 } });
    const { body: exported } = await call(endpoints.exportWorkflow, { workflowId });
    expect(JSON.stringify(exported)).not.toContain('tried');
    const byNumber = await call(endpoints.getWorkflowVersion, { workflowId, versionId: '1' });
    expect(byNumber.body.data?.['id']).toBe(headVersion.id);
    const label = { workflowId, label: 'production' };
    const refused = await call(endpoints.setWorkflowLabel, label, { body: { version: candidate['id'] } });
    expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringContaining('is a candidate')]);
    const saved = await call(endpoints.saveWorkflowGraph, { workflowId }, { body: { graph } });
    expect(saved.body.data).toMatchObject({ number: 2 });
    expect(saved.body.data?.['id']).not.toBe(candidate['id']);
  });

  it('must have a graph that could be saved', async () => {
    const { id: workflowId } = await made({ title: 'Refused' });
    const graph = { nodes: [{ id: 'a', type: 'nothing' }], edges: [] };
    const refused = await call(endpoints.saveWorkflowCandidate, { workflowId }, { body: { graph } });
    expect(codeOf(refused)).toEqual(
      codeOf(await call(endpoints.saveWorkflowGraph, { workflowId }, { body: { graph } })),
    );
  });
});

describe.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', (_, row) => {
  it('answers 401 without a token and to an unknown or revoked one', async () => {
    for (const token of ['', 'nonsense', `lf_dev_${'0'.repeat(64)}`]) {
      expect(codeOf(await call(row, mine, { ...sent(row), token }, queryOf(row)))).toEqual([401, 'unauthorized']);
    }
  });

  it('answers 403 insufficient_scope to a token without the scope', async () => {
    const held = row.scopes[0] === 'workflows:write' ? (['workflows:read'] as const) : (['lenses:write'] as const);
    const { value: token } = await aToken(gateway.ctx, { accountId: gateway.accountId, held });
    const answer = await call(row, mine, { ...sent(row), token }, queryOf(row));
    expect(codeOf(answer)).toEqual([403, 'insufficient_scope']);
  });

  if (row.params) {
    it('answers 400 to an id that is not a UUID', async () => {
      const ids = { workflowId: 'no-uuid', scheduleId: 'no-uuid', versionId: '1', label: 'a' };
      expect(codeOf(await call(row, ids, sent(row), queryOf(row)))).toEqual([400, 'invalid_request']);
    });

    it('answers the same 404 to an unknown id and to a private object of another account', async () => {
      const id = newId();
      const none = { workflowId: id, scheduleId: id, versionId: '1', label: 'a' };
      const [a, b] = [await call(row, hidden, sent(row), queryOf(row)), await call(row, none, sent(row), queryOf(row))];
      expect([codeOf(a), codeOf(b)]).toEqual([
        [404, 'not_found'],
        [404, 'not_found'],
      ]);
      const plain = (answer: Answer) => answer.body.error?.message.replace(/[0-9a-f-]{36}/, '');
      expect(plain(a)).toBe(plain(b));
    });
  }

  const isOthers = row.scopes[0] === 'workflows:write' || row.id === 'listSchedules';
  if (row.params && isOthers && row.id !== 'runWorkflow' && !ofSchedule(row)) {
    it('answers 403 forbidden to a public workflow of another account', async () => {
      expect(codeOf(await call(row, open, sent(row)))).toEqual([403, 'forbidden']);
    });
  }

  if (row.body) {
    it('answers 400 to an unknown member and invalid JSON, 413 to a large body, 415 to another content type', async () => {
      const unknown = await call(row, mine, { body: { ...good[row.id], ownerId: newId() } });
      expect(codeOf(unknown)).toEqual([400, 'invalid_request']);
      expect(JSON.stringify(unknown.body)).toContain('ownerId');
      expect(codeOf(await call(row, mine, { body: '{"title":' }))).toEqual([400, 'invalid_request']);
      const large = await call(row, mine, { body: { title: 'x'.repeat(row.largeBody?.bytes ?? 300_000) } });
      expect(codeOf(large)).toEqual([413, 'payload_too_large']);
      const other = await call(row, mine, { body: good[row.id], headers: { 'content-type': 'text/plain' } });
      expect(codeOf(other)).toEqual([415, 'unsupported_media_type']);
    });
  }
});

describe('POST /v1/workflows/{workflowId}/run', () => {
  const run = (workflowId: string, body: object) => call(endpoints.runWorkflow, { workflowId }, { body });

  it('answers 202 with a run that pins the newest version and has a job', async () => {
    const { id } = await made({ graph });
    const metadata = { ticket: 7 };
    const answer = await run(id, { inputs: { topic: 'x' }, budgetCredits: 50, tags: ['t'], metadata });
    expect(answer.status).toBe(202);
    const accepted = parse(PlatformExecutionAccepted, answer.body.data);
    expect(accepted).toEqual({ runId: expect.any(String), status: 'queued', workflowId: id });
    const [row] = await gateway.ctx.db.query<object[]>(
      `select r.kind, v.number, r.params, r.model_id, r.budget_credits::int as budget, r.tags, r.metadata
         from runs r join workflow_versions v on v.id = r.workflow_version_id where r.id = $1`,
      [accepted.runId],
    );
    expect(row).toEqual({
      kind: 'workflow',
      number: 1,
      params: { topic: 'x' },
      model_id: null,
      budget: 50,
      tags: ['t'],
      metadata,
    });
    const status = await gateway.call('GET', `/v1/runs/${accepted.runId}`);
    expect(status.body.data).toMatchObject({ id: accepted.runId, modelId: null, artifacts: [] });
    const listed = await call(endpoints.listWorkflowRuns, { workflowId: id }, {}, '?status=queued');
    expect(listed.body.data).toEqual([expect.objectContaining({ id: accepted.runId, kind: 'workflow' })]);
    expect((await call(endpoints.listWorkflowRuns, { workflowId: id }, {}, '?status=failed')).body.data).toEqual([]);
  });

  it('answers 202 to a public workflow of another account, and the caller owns the run', async () => {
    const { body } = await run(open.workflowId, { inputs: {} });
    expect((await gateway.call('GET', `/v1/runs/${String(body.data?.['runId'])}`)).status).toBe(200);
  });

  it('answers 202 with the same run to a repeated key, and 400 to another request with that key', async () => {
    const { id } = await made({});
    const first = await run(id, { inputs: { a: 1, b: 2 }, idempotencyKey: 'k' });
    const again = await run(id, { inputs: { b: 2, a: 1 }, idempotencyKey: 'k' });
    expect([again.status, again.body.data?.['runId']]).toEqual([202, first.body.data?.['runId']]);
    expect(codeOf(await run(id, { inputs: { a: 2 }, idempotencyKey: 'k' }))).toEqual([400, 'idempotency_key_reused']);
  });

  it('answers 400 to invalid inputs and an unknown model', async () => {
    const { id } = await made({ graph });
    const answer = await run(id, { inputs: {} });
    expect(codeOf(answer)).toEqual([400, 'invalid_request']);
    const missing = { issues: [{ path: 'inputs.topic', message: 'is required' }], missing: ['topic'] };
    expect(answer.body.error?.details).toEqual(missing);
    const wrong = await run(id, { inputs: { topic: 5 } });
    expect(wrong.body.error?.details).toEqual({ issues: [{ path: 'inputs.topic', message: 'must be string' }] });
    expect(codeOf(await run(id, { inputs: { topic: 'x' }, modelOverride: 'none' }))).toEqual([400, 'invalid_request']);
    expect(codeOf(await run(id, { inputs: { topic: 'x' }, version: '2' }))).toEqual([404, 'not_found']);
  });

  it('answers 429 above the rate limit of the account', async () => {
    const slow = await aGateway({ LENSFORGE_RATE_RUN_PER_MINUTE: '1' });
    try {
      const { id } = await aWorkflow(actingAs(slow.ctx, slow.accountId));
      const start = () => slow.call('POST', `/v1/workflows/${id}/run`, { body: { inputs: {} } });
      expect([(await start()).status, codeOf(await start())]).toEqual([202, [429, 'rate_limited']]);
    } finally {
      await slow.stop();
    }
  });
});

describe('workflows', () => {
  it('are created, read, listed, changed and deleted', async () => {
    const record = await made({ description: 'd', visibility: 'unlisted' });
    expect(record).toMatchObject({
      title: 'Mine',
      description: 'd',
      visibility: 'unlisted',
      schedules: [],
      author: { id: gateway.accountId },
      headVersion: { number: 1, nodeCount: 0, graph: { nodes: [], edges: [] } },
    });
    const other = (await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id })).value;
    expect((await call(endpoints.getWorkflow, { workflowId: record.id }, { token: other })).status).toBe(200);
    const list = async (query: string, token = gateway.token) => {
      const { body } = await call(endpoints.listWorkflows, {}, { token }, query);
      return { items: body.data as unknown as WorkflowItem[], meta: body.meta };
    };
    const { items, meta } = await list('?limit=1');
    expect(parse(WorkflowItem, items[0])).toEqual(items[0]);
    expect([items[0]?.id, meta]).toEqual([record.id, expect.objectContaining({ limit: 1, hasNextPage: true })]);
    expect((await list('?visibility=unlisted', other)).items).toEqual([]);
    expect((await list('', other)).items.map(({ id }) => id)).toEqual([open.workflowId]);
    expect((await list(`?author=${gateway.accountId}&visibility=unlisted`)).items.map(({ id }) => id)).toEqual([
      record.id,
    ]);
    const patch = { title: 'Other', visibility: 'private' };
    const changed = await call(endpoints.updateWorkflow, { workflowId: record.id }, { body: patch });
    expect(changed.body.data).toMatchObject({ ...patch, description: 'd' });
    expect((await call(endpoints.getWorkflow, { workflowId: record.id }, { token: other })).status).toBe(404);
    const gone = await call(endpoints.deleteWorkflow, { workflowId: record.id });
    expect(gone.body.data).toEqual({ deleted: true, workflowId: record.id });
    expect((await call(endpoints.getWorkflow, { workflowId: record.id })).status).toBe(404);
  });

  it('have labels: callers name them, or get the default one, and a move is undone', async () => {
    const { id: workflowId } = await made({ visibility: 'public' });
    const other = (await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id })).value;
    const save = (seconds: number) => {
      const graph = { nodes: [{ id: 'wait', type: 'delay', settings: { seconds } }], edges: [] };
      return call(endpoints.saveWorkflowGraph, { workflowId }, { body: { graph } });
    };
    await save(1);
    const label = 'production';
    const set = (version: string, more: object = {}) =>
      call(endpoints.setWorkflowLabel, { workflowId, label }, { body: { version, ...more } });
    const versionOfRun = async (more: object = {}, token = gateway.token): Promise<unknown> => {
      const started = await call(endpoints.runWorkflow, { workflowId }, { token, body: { inputs: {}, ...more } });
      if (started.status !== 202) return started.status;
      const [run] = await gateway.ctx.db.query<[{ number: number }]>(
        'select v.number from runs r join workflow_versions v on v.id = r.workflow_version_id where r.id = $1',
        [started.body.data?.['runId']],
      );
      return run.number;
    };
    expect(await versionOfRun({ version: label })).toBe(404);
    expect((await set('2')).body.data).toMatchObject({ label, number: 2, protected: false });
    const patch = (defaultLabel: string | null) =>
      call(endpoints.updateWorkflow, { workflowId }, { body: { defaultLabel } });
    expect(codeOf(await patch('staging'))).toEqual([400, 'invalid_request']);
    expect((await patch(label)).body.data).toMatchObject({ defaultLabel: label, servedVersion: { number: 2 } });
    await save(2);
    expect([await versionOfRun(), await versionOfRun({}, other), await versionOfRun({ version: '3' })]).toEqual([
      2, 2, 3,
    ]);
    const read = async (token = gateway.token) =>
      (await call(endpoints.getWorkflow, { workflowId }, { token })).body.data;
    const labels = [{ label, number: 2, protected: false }];
    expect(await read()).toMatchObject({ headVersion: { number: 3 }, servedVersion: { number: 2 }, labels });
    expect(await read(other)).toMatchObject({ headVersion: { number: 2 }, servedVersion: { number: 2 } });
    await set('3', { reason: 'Waits longer.' });
    expect(await versionOfRun({}, other)).toBe(3);
    const back = (body: object = {}) => call(endpoints.returnWorkflowLabel, { workflowId, label }, { body });
    expect((await back({ reason: 'Too long.' })).body.data).toMatchObject({ number: 2 });
    expect(await versionOfRun({}, other)).toBe(2);
    expect(codeOf(await back())).toEqual([409, 'conflict']);
    const moves = await call(endpoints.listWorkflowLabelMoves, { workflowId });
    expect(moves.body.data).toMatchObject([
      { label, version: { number: 2 }, before: { number: 3 }, kind: 'return', reason: 'Too long.' },
      { version: { number: 3 }, before: { number: 2 }, kind: 'set', reason: 'Waits longer.' },
      { version: { number: 2 }, before: null, kind: 'set', reason: null, credential: 'developer' },
    ]);
    expect(codeOf(await call(endpoints.listWorkflowLabelMoves, { workflowId }, { token: other }))).toEqual([
      403,
      'forbidden',
    ]);
    expect(codeOf(await call(endpoints.removeWorkflowLabel, { workflowId, label }))).toEqual([409, 'conflict']);
    await patch(null);
    expect(await versionOfRun()).toBe(3);
    const removed = await call(endpoints.removeWorkflowLabel, { workflowId, label });
    expect(removed.body.data).toEqual({ workflowId, label, removed: true });
    expect(codeOf(await call(endpoints.removeWorkflowLabel, { workflowId, label }))).toEqual([404, 'not_found']);
  });

  it('are protected from tokens of programs, the default label too', async () => {
    const { id: workflowId } = await made({});
    const { ctx } = gateway;
    const own = actingAs(ctx, gateway.accountId);
    const person: Context = { ...own, actor: { ...own.actor, credential: { kind: 'session', id: 'a' } } };
    await setWorkflowLabel(person, { workflowId, label: 'production', version: '1', protected: true });
    await updateWorkflow(person, { workflowId, defaultLabel: 'production' });
    const calls = [
      call(endpoints.setWorkflowLabel, { workflowId, label: 'production' }, { body: { version: '1' } }),
      call(endpoints.removeWorkflowLabel, { workflowId, label: 'production' }),
      call(endpoints.updateWorkflow, { workflowId }, { body: { defaultLabel: null } }),
      call(endpoints.setWorkflowLabel, { workflowId, label: 'other' }, { body: { version: '1', protected: true } }),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([403, 409, 403, 403]);
  });

  it('have versions: saving the same graph creates none, and two can be compared', async () => {
    const { id: workflowId } = await made({});
    const save = (of: object) =>
      call(endpoints.saveWorkflowGraph, { workflowId }, { body: { graph: of, changelog: 'said' } });
    const [first, again] = [await save(graph), await save(graph)];
    const version = parse(WorkflowVersionRecord, first.body.data, { skipJsonRules: true });
    expect(version).toMatchObject({ number: 2, nodeCount: 3, changelog: 'said', workflowId });
    expect(again.body.data?.['id']).toBe(version.id);
    const bare = await call(endpoints.saveWorkflowGraph, { workflowId }, { body: { ...graph, changelog: 'bare' } });
    expect([bare.status, bare.body.data?.['id']]).toEqual([200, version.id]);
    for (const body of [{ ...graph, graph }, {}, { edges: [] }]) {
      expect(codeOf(await call(endpoints.saveWorkflowGraph, { workflowId }, { body }))).toEqual([
        400,
        'invalid_request',
      ]);
    }
    const other = { nodes: [{ id: 'wait', type: 'delay', settings: { seconds: 5 } }], edges: [] };
    const stale = { graph: other, baseVersionId: version.id.replace(/^./, 'f') };
    const refused = await call(endpoints.saveWorkflowGraph, { workflowId }, { body: stale });
    expect(codeOf(refused)).toEqual([409, 'conflict']);
    expect(refused.body.error?.message).toContain(`The newest version is ${version.id}`);
    const repeated = await call(endpoints.saveWorkflowGraph, { workflowId }, { body: { ...stale, graph } });
    expect([repeated.status, repeated.body.data?.['id']]).toEqual([200, version.id]);
    const versions = await call(endpoints.listWorkflowVersions, { workflowId });
    expect(versions.body).toMatchObject({ data: [{ number: 2 }, { number: 1 }], meta: { total: 2 } });
    for (const versionId of ['2', version.id]) {
      const { body } = await call(endpoints.getWorkflowVersion, { workflowId, versionId });
      expect(body.data).toEqual(first.body.data);
    }
    for (const versionId of ['3', 'head', mine.workflowId]) {
      expect((await call(endpoints.getWorkflowVersion, { workflowId, versionId })).status).toBe(404);
    }
    const diff = await call(endpoints.diffWorkflowVersions, { workflowId }, {}, '?from=1&to=2');
    expect(parse(WorkflowDiffReply, diff.body.data, { skipJsonRules: true })).toMatchObject({
      from: { number: 1 },
      to: { number: 2 },
      nodes: { added: ['a', 'b', 'c'], removed: [], changed: [] },
      changes: [{ path: 'inputs', before: null }],
    });
    await expect(gateway.ctx.db.query('update workflow_versions set number = 9')).rejects.toThrow('never changes');
  });

  it('refuse an invalid graph with its path, an invisible lens and one without a required value', async () => {
    const { id: workflowId } = await made({});
    const refusalOf = async (nodes: object[]) => {
      const answer = await call(endpoints.saveWorkflowGraph, { workflowId }, { body: { graph: { nodes } } });
      expect(codeOf(answer)).toEqual([400, 'invalid_request']);
      return answer.body.error;
    };
    expect(await refusalOf([{ id: 'a', type: 'http', settings: { url: 'x' } }])).toMatchObject({
      message: expect.stringContaining('nodes[0].settings.url must be an address'),
      details: { issues: [{ path: 'nodes[0].settings.url', message: expect.any(String) }] },
    });
    const foreign = await aLens(actingAs(gateway.ctx, (await anAccount(gateway.ctx)).id), { visibility: 'private' });
    const lens = (lensId: string, params = {}) => ({ id: 'a', type: 'lens', settings: { lensId, params } });
    expect((await refusalOf([lens(foreign.id)]))?.message).toContain('nodes[0].settings.lensId: There is no lens');
    expect((await refusalOf([lens(gateway.lensId)]))?.message).toBe(
      'nodes[0].settings.params: the lens also requires Name',
    );
    expect((await refusalOf([lens(gateway.lensId, { Name: 'Ada', Nme: 'Ada' })]))?.message).toBe(
      'nodes[0].settings.params.Nme: the lens has no parameter Nme; did you mean Name?',
    );
    const calling = { id: 'w', type: 'workflow', settings: { workflowId: hidden.workflowId } };
    expect((await refusalOf([calling]))?.message).toContain('nodes[0].settings.workflowId: There is no workflow');
  });

  it('can be nested eight levels deep and may call themselves', async () => {
    const calls = (workflowId: string) => ({ nodes: [{ id: 'w', type: 'workflow', settings: { workflowId } }] });
    let { id } = await made({});
    for (let depth = 1; depth < 8; depth += 1) ({ id } = await made({ graph: calls(id) }));
    const { status, body } = await call(endpoints.createWorkflow, {}, { body: { title: 'x', graph: calls(id) } });
    expect([status, body.error?.message]).toEqual([
      400,
      expect.stringContaining('may call each other at most 8 levels deep'),
    ]);
    const { id: self } = await made({});
    const saved = await call(endpoints.saveWorkflowGraph, { workflowId: self }, { body: { graph: calls(self) } });
    expect(saved.status).toBe(200);
  });

  it('return the steps and the cost of a run in a dry run', async () => {
    const nodes = [
      ...graph.nodes,
      { id: 'm', type: 'map', settings: { items: '[1, 2, 3]', graph: { nodes: [step('x')] } } },
      { id: 'w', type: 'webhook_wait', settings: {} },
      step('d'),
    ];
    const edges = [...graph.edges, { from: 'w', to: 'd', when: 'nodes.w.output.body == 1' }];
    const { id: workflowId } = await made({ graph: { ...graph, nodes, edges } });
    const dry = async (topic: string) => {
      const answer = await call(endpoints.dryRunWorkflow, { workflowId }, { body: { inputs: { topic } } });
      return parse(WorkflowDryRunReply, answer.body.data, { skipJsonRules: true });
    };
    const yes = await dry('yes');
    expect(yes.levels).toEqual([['a', 'm', 'w'], ['b', 'd'], ['c']]);
    const verdicts = ({ nodes: found }: WorkflowDryRunReply) =>
      Object.fromEntries(found.map(({ id, verdict, times }) => [id, times === null ? verdict : `${verdict} ${times}`]));
    expect(verdicts(yes)).toEqual({ a: 'runs', m: 'runs 3', w: 'runs', b: 'runs', d: 'depends', c: 'runs' });
    expect(verdicts(await dry('no'))).toMatchObject({ b: 'skipped', c: 'skipped' });
    expect((await call(endpoints.dryRunWorkflow, { workflowId }, { body: {} })).body.error?.details).toEqual({
      issues: [{ path: 'inputs.topic', message: 'is required' }],
      missing: ['topic'],
    });
  });

  it('check a graph that is not saved in a dry run, as saving does', async () => {
    const { id: workflowId, headVersion } = await made({ graph });
    const dry = (draft: object) =>
      call(endpoints.dryRunWorkflow, { workflowId }, { body: { inputs: { topic: 'x' }, graph: draft } });
    const answer = await dry({ nodes: [step('new')], edges: [] });
    const { nodes, version } = parse(WorkflowDryRunReply, answer.body.data, { skipJsonRules: true });
    expect([nodes.map(({ id }) => id), version.id]).toEqual([['new'], headVersion.id]);
    const lens = { id: 'l', type: 'lens', settings: { lensId: newId() } };
    const wrong: [object, string][] = [
      [{ nodes: [lens] }, 'nodes[0].settings.lensId'],
      [{ nodes: [step('a')], edges: [{ from: 'a', to: 'a' }] }, 'edges[0]'],
    ];
    for (const [draft, path] of wrong) {
      const { status, body } = await dry(draft);
      expect([status, body.error?.details]).toEqual([400, { issues: [{ path, message: expect.any(String) }] }]);
    }
  });

  it('evaluate an expression with the inputs and results of a run', async () => {
    const nodes = [step('first'), step('second')];
    const edges = [{ from: 'first', to: 'second', input: 'before', output: 'text' }];
    const { id: workflowId } = await made({ graph: { nodes, edges } });
    const run = async (id: string) =>
      String(
        (await call(endpoints.runWorkflow, { workflowId: id }, { body: { inputs: { n: 2 } } })).body.data?.['runId'],
      );
    const runId = await run(workflowId);
    await gateway.ctx.db.query(
      `insert into node_results (run_id, node_key, node_id, type, status, output, completed_at)
       values ($1, 'first', 'first', 'transform', 'succeeded', '{"text":"Hi"}', now())`,
      [runId],
    );
    const evaluate = async (expression: string, more: object = {}) => {
      const body = { expression, runId, ...more };
      const { status, body: answer } = await call(endpoints.evaluateExpression, { workflowId }, { body });
      return [status, answer.data ?? answer.error?.code];
    };
    const value = (expected: unknown) => [200, { value: expected, fault: null }];
    expect(await evaluate('inputs.n * 3')).toEqual(value(6));
    expect(await evaluate('nodes.first.output.text + "!"')).toEqual(value('Hi!'));
    expect(await evaluate('input.before', { nodeId: 'second' })).toEqual(value('Hi'));
    expect(await evaluate('run.id')).toEqual(value(runId));
    for (const expression of ['nodes.second.output', 'inputs.n +', 'inputs.none', '[1'.repeat(200)]) {
      const fault = { code: expect.any(String), message: expect.any(String) };
      expect(await evaluate(expression)).toEqual([200, { value: null, fault }]);
    }
    const others = await run((await made({})).id);
    expect(await evaluate('1', { runId: others })).toEqual([400, 'invalid_request']);
    expect(await evaluate('1', { runId: newId() })).toEqual([404, 'not_found']);
  });

  it('return the cost of a run with its nested runs and each item of a map', async () => {
    const priced = await aPricedModel(gateway.ctx);
    const { id: lensId } = await aLens(actingAs(gateway.ctx, gateway.accountId), { templateBody: '[[Text]]' });
    const ask = { id: 'l', type: 'lens', settings: { lensId, params: { Text: 'abcd' } } };
    const inner = await made({ graph: { nodes: [ask] } });
    const nodes = [
      ask,
      { id: 'w', type: 'workflow', settings: { workflowId: inner.id } },
      { id: 'm', type: 'map', settings: { items: '[1, 2, 3]', graph: { nodes: [ask] } } },
    ];
    const { id: workflowId } = await made({ graph: { nodes } });
    const body = { inputs: {}, modelOverride: priced.key };
    const answer = await call(endpoints.dryRunWorkflow, { workflowId }, { body });
    const dry = parse(WorkflowDryRunReply, answer.body.data, { skipJsonRules: true });
    expect(dry.nodes.map(({ id, estimatedCredits }) => [id, estimatedCredits])).toEqual([
      ['l', 101],
      ['w', 101],
      ['m', 303],
    ]);
    expect(dry.estimatedCredits).toBe(505);
  });
});

describe('an exported workflow', () => {
  const importing = async (document: unknown, token = gateway.token): Promise<WorkflowRecord> => {
    const answer = await call(endpoints.importWorkflow, {}, { body: document, token });
    expect([answer.status, answer.body.error]).toEqual([201, null]);
    return parse(WorkflowRecord, answer.body.data, { skipJsonRules: true });
  };
  const exported = async ({ id: workflowId }: WorkflowRecord, token = gateway.token) =>
    (await call(endpoints.exportWorkflow, { workflowId }, { token })).body.data ?? {};

  it('is imported with all versions, copies of its lenses for another account, and its calls of itself', async () => {
    const { id: workflowId } = await made({});
    const settings = { outputSchema: { type: 'object', properties: {} }, sampling: { seed: 7 } };
    const lens = await aLens(actingAs(gateway.ctx, gateway.accountId), { visibility: 'private', settings });
    const own = {
      nodes: [
        { id: 'l', type: 'lens', settings: { lensId: lens.id, version: '1.0.0', params: { Name: 'x' } } },
        { id: 'w', type: 'workflow', settings: { workflowId } },
      ],
    };
    await call(endpoints.saveWorkflowGraph, { workflowId }, { body: { graph: own } });
    await call(endpoints.createSchedule, { workflowId }, { body: { cron: '0 2 * * *', timeZone: 'Europe/Berlin' } });
    const document = await exported({ id: workflowId } as WorkflowRecord);
    const { value: token } = await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id });
    const copy = await importing(document, token);
    const nodes = (copy.headVersion.graph as { nodes: { settings: Record<string, unknown> }[] }).nodes;
    expect(copy.headVersion).toMatchObject({ number: 2, nodeCount: 2 });
    expect(nodes[0]?.settings).toEqual({ lensId: expect.not.stringMatching(lens.id), params: { Name: 'x' } });
    expect(nodes[1]?.settings['workflowId']).toBe(copy.id);
    expect(copy.schedules).toEqual([expect.objectContaining({ enabled: false, pausedReason: 'it was imported' })]);
    const again = await exported(copy, token);
    expect(again).toMatchObject({
      title: 'Mine',
      lenses: [{ title: lens.title, settings }],
      schedules: [{ cron: '0 2 * * *' }],
    });
    const elsewhere = {
      ...document,
      lenses: [{ ...(document['lenses'] as object[])[0], settings: { models: ['acme/large'] } }],
    };
    const { value: third } = await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id });
    expect(await exported(await importing(elsewhere, third), third)).toMatchObject({
      lenses: [{ settings: { models: ['acme/large'] } }],
    });
    expect(JSON.stringify(document)).not.toContain(gateway.accountId);
  });

  it.each(readdirSync(examples))('can be the example %s', async (file) => {
    const document = JSON.parse(readFileSync(examples + file, 'utf8')) as Record<string, unknown>;
    const { value: token } = await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id });
    const workflow = await importing(document, token);
    expect(workflow).toMatchObject({ title: document['title'], visibility: 'private', headVersion: { number: 1 } });
    expect(await exported(workflow, token)).toMatchObject({ lenses: expect.any(Array), title: document['title'] });
  });

  it('with a fault is refused as a whole', async () => {
    const versions = [{ graph: { nodes: [step('a', '(')] }, createdAt: '2026-01-01T00:00:00Z' }];
    const answer = await call(endpoints.importWorkflow, {}, { body: { ...good['importWorkflow'], versions } });
    expect(answer.body.error?.message).toContain('versions[0].graph.nodes[0].settings.expression: ');
  });
});

describe('schedules', () => {
  const create = (body: object, workflowId = mine.workflowId) =>
    call(endpoints.createSchedule, { workflowId }, { body });

  it('are created, read, listed, changed, paused and deleted', async () => {
    const { id: workflowId } = await made({});
    const request = {
      cron: '30 2 * * *',
      timeZone: 'Europe/Berlin',
      inputs: { a: 1 },
      overlap: 'queue',
      missed: 'run_once',
    };
    const answer = await create(request, workflowId);
    const schedule = parse(ScheduleRecord, answer.body.data);
    expect([answer.status, schedule]).toMatchObject([
      201,
      { ...request, title: '30 2 * * *', enabled: true, workflowId },
    ]);
    const ids = { scheduleId: schedule.id };
    expect((await call(endpoints.getSchedule, ids)).body.data).toEqual(answer.body.data);
    expect((await call(endpoints.listSchedules, { workflowId })).body.data).toEqual([answer.body.data]);
    expect((await call(endpoints.getWorkflow, { workflowId })).body.data?.['schedules']).toEqual([answer.body.data]);
    const preview = await call(endpoints.previewSchedule, ids);
    expect(preview.body.data?.['at']).toHaveLength(20);
    expect((await call(endpoints.listScheduleTicks, ids)).body.data).toEqual([]);
    const patched = await call(endpoints.updateSchedule, ids, { body: { enabled: false, title: 'Nightly' } });
    expect(patched.body.data).toMatchObject({ title: 'Nightly', enabled: false, nextAt: null });
    const gone = await call(endpoints.deleteSchedule, ids);
    expect(gone.body.data).toEqual({ deleted: true, scheduleId: schedule.id });
    expect((await call(endpoints.getSchedule, ids)).status).toBe(404);
  });

  it('of all workflows are listed by their next tick, with their newest one', async () => {
    const { id: workflowId } = await made({ title: 'Reports' });
    const ids = async (query = ''): Promise<unknown[]> =>
      ((await call(endpoints.listOwnSchedules, {}, {}, query)).body.data as unknown as { id: string }[]).map(
        ({ id }) => id,
      );
    const before = await ids();
    const soon = String((await create({ cron: '* * * * *', title: 'Often' }, workflowId)).body.data?.['id']);
    const paused = String((await create({ cron: '* * * * *', enabled: false }, workflowId)).body.data?.['id']);
    await gateway.ctx.db.query(
      `insert into schedule_ticks (schedule_id, tick_at, outcome, reason)
       values ($1, '2026-01-01 00:00Z', 'skipped', 'old'), ($1, '2026-01-02 00:00Z', 'failed', 'no credits')`,
      [soon],
    );
    const all = await ids();
    expect([all[0], all.at(-1), all.length]).toEqual([soon, paused, before.length + 2]);
    expect(await ids('?limit=1&offset=1')).toEqual([all[1]]);
    const [first] = (await call(endpoints.listOwnSchedules)).body.data as unknown as object[];
    expect(parse(ScheduleItem, first)).toMatchObject({
      title: 'Often',
      workflowId,
      workflowTitle: 'Reports',
      lastTick: { tickAt: '2026-01-02T00:00:00.000Z', outcome: 'failed', reason: 'no credits', runId: null },
    });
    // The schedules of another account are not among them.
    const others = await gateway.ctx.db.query<{ id: string }[]>('select id from schedules where account_id <> $1', [
      gateway.accountId,
    ]);
    expect(others.length).toBeGreaterThan(0);
    expect(all.filter((id) => others.some((other) => other.id === id))).toEqual([]);
    await call(endpoints.deleteWorkflow, { workflowId });
    expect(await ids()).toEqual(before);
  });

  it('list the outcomes of their ticks in pages', async () => {
    const { body } = await create({ cron: '0 0 1 1 *' });
    const scheduleId = String(body.data?.['id']);
    await gateway.ctx.db.query(
      `insert into schedule_ticks (schedule_id, tick_at, outcome, reason)
       select $1, timestamptz '2026-01-01 00:00Z' + n * interval '1 day', 'missed', 'x' from generate_series(1, 3) n`,
      [scheduleId],
    );
    const page = await call(endpoints.listScheduleTicks, { scheduleId }, {}, '?limit=2');
    const { nextCursor } = page.body.meta as { nextCursor: string };
    const rest = await call(endpoints.listScheduleTicks, { scheduleId }, {}, `?limit=2&cursor=${nextCursor}`);
    const days = [page, rest].map(({ body: { data } }) =>
      (data as unknown as { tickAt: string }[]).map((t) => t.tickAt),
    );
    expect(days).toEqual([['2026-01-04T00:00:00.000Z', '2026-01-03T00:00:00.000Z'], ['2026-01-02T00:00:00.000Z']]);
  });

  it.each([
    [{ cron: '* * *' }, 'cron needs five fields (minute hour day month weekday); got "* * *"'],
    [{ cron: '0 0 * * * *' }, 'cron needs five fields'],
    [{ cron: '61 * * * *' }, 'cron cannot be read: Invalid value for minute: 61'],
    [{ cron: '0 0 31 2 *' }, 'matches no date'],
    [{ cron: '? * * * *' }, 'cron needs five fields'],
    [{ cron: '2026-01-01T00:00:00' }, 'cron needs five fields'],
    [{ cron: '0 0 * * *', timeZone: 'Mars/Olympus' }, 'timeZone: Mars/Olympus is not a known time zone'],
    [{ cron: '0 0 * * *', timeZone: '+01:00' }, 'timeZone: '],
    [{ cron: '0 0 * * *', overlap: 'maybe' }, 'overlap'],
  ])('answers 400 to %j', async (body, part) => {
    const answer = await create(body);
    expect([codeOf(answer), answer.body.error?.message]).toEqual([
      [400, 'invalid_request'],
      expect.stringContaining(part),
    ]);
  });

  it('answer 400 to invalid inputs of the workflow', async () => {
    const { id } = await made({ graph });
    const answer = await create({ cron: '0 0 * * *' }, id);
    expect(answer.body.error).toMatchObject({ details: { issues: [{ path: 'inputs.topic' }], missing: ['topic'] } });
  });
});
