import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTeamRun } from '@lensforge/agents';
import { anMcpServer } from '@lensforge/agents/testing';
import { newId, platformActor } from '@lensforge/core';
import { aToken, actingAs } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { type EventStream, readEvents, until } from '@lensforge/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type TestCaller, aCaller, allPages, callerOf, items, outcome } from './callers.js';
import { type Frame, framesOf } from './gateway.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let otherUrl: string;
let ada: TestCaller;
let eve: TestCaller;
let lensId: string;
let workflowId: string;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn({
    LENSFORGE_AI_LENSERS_PER_OWNER: '100',
    LENSFORGE_RATE_RUN_PER_MINUTE: '100000',
    LENSFORGE_STREAMS_PER_ACCOUNT: '5',
  });
  otherUrl = await gateway.replica();
  [ada, eve] = [await aCaller(gateway), await aCaller(gateway)];
  const ctx = actingAs(gateway.ctx, ada.accountId);
  lensId = (await aLens(ctx, { visibility: 'private' })).id;
  workflowId = (await aWorkflow(ctx)).id;
});
afterAll(() => gateway.stop());

async function anAgent(actions: object = { run_lens: 'allow' }, tools = ['run_lens'], by = ada): Promise<string> {
  const { body } = await by.post('/v1/agents', { handle: `ai-${newId()}`, displayName: 'A', policy: { actions } });
  const id = String(body.data?.['id']);
  for (const toolId of tools) expect((await by.post(`/v1/agents/${id}/tools`, { toolId })).status).toBe(200);
  return id;
}

const runsLens = () => ({ actionType: 'run_lens', metadata: { lens_id: lensId, param_values: { name: 'Ada' } } });
const aTeamRun = async (agentId: string, policy: 'auto' | 'manual' = 'auto'): Promise<string> => {
  const platform = { ...gateway.ctx, actor: platformActor };
  return (await startTeamRun(platform, { agentId, workflowId, inputs: {}, policy })).id;
};

/** Checks the answers to a caller without a token, one without the scope, a stranger, and for an unknown AI lenser. */
async function expectRefusals(
  scope: 'read' | 'write',
  call: (by: TestCaller, agentId: string) => Promise<{ status: number }>,
): Promise<void> {
  const agentId = await anAgent();
  const held = scope === 'read' ? (['lenses:write'] as const) : (['agents:read'] as const);
  const { value } = await aToken(gateway.ctx, { accountId: ada.accountId, held });
  const statuses = [
    await call(callerOf(gateway, { token: '' }), agentId),
    await call(callerOf(gateway, { token: value }), agentId),
    await call(eve, agentId),
    await call(ada, newId()),
    await call(ada, 'x'),
  ].map(({ status }) => status);
  expect(statuses).toEqual([401, 403, 404, 404, 400]);
}

describe('GET /v1/agents/{aiLenserId}/tools', () => {
  it('answers 200 with the tools by name, page by page', async () => {
    const id = await anAgent({}, ['run_workflow', 'get_lens', 'cast_vote']);
    const { items, pages } = await allPages(ada.get, `/v1/agents/${id}/tools`, 2);
    expect([items.map(({ toolId }) => toolId), pages]).toEqual([['cast_vote', 'get_lens', 'run_workflow'], 2]);
    expect(items[0]).toMatchObject({ aiLenserId: id, allowed: true });
  });

  it('answers 400, 401, 403 and 404', () => expectRefusals('read', (by, id) => by.get(`/v1/agents/${id}/tools`)));
});

describe('POST /v1/agents/{aiLenserId}/tools', () => {
  it('answers 200 with the grant, 400 to a tool that cannot be granted, and 409 for an archived AI lenser', async () => {
    const path = `/v1/agents/${await anAgent()}`;
    const granted = await ada.post(`${path}/tools`, { toolId: 'mcp:notes/search', allowed: false });
    expect([granted.status, granted.body.data]).toMatchObject([200, { toolId: 'mcp:notes/search', allowed: false }]);
    const refused = await ada.post(`${path}/tools`, { toolId: 'assign_agent_tool' });
    expect(refused.body.error).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: 'toolId' }] } });
    await ada.post(`${path}/archive`);
    expect(outcome(await ada.post(`${path}/tools`, { toolId: 'run_lens' }))).toEqual([409, 'conflict']);
  });

  it('answers 400, 401, 403 and 404', () =>
    expectRefusals('write', (by, id) => by.post(`/v1/agents/${id}/tools`, { toolId: 'run_lens' })));
});

describe('DELETE /v1/agents/{aiLenserId}/tools/{toolId}', () => {
  it('answers 200, also when repeated and for a name with a slash', async () => {
    await anMcpServer(actingAs(gateway.ctx, ada.accountId));
    const path = `/v1/agents/${await anAgent({}, ['mcp:notes/search'])}/tools`;
    for (const revoked of [true, false]) {
      const { status, body } = await ada.remove(`${path}/${encodeURIComponent('mcp:notes/search')}`);
      expect([status, body.data?.['revoked']]).toEqual([200, revoked]);
    }
    expect(items(await ada.get(path))).toEqual([]);
  });

  it('answers 400, 401, 403 and 404', () =>
    expectRefusals('write', (by, id) => by.remove(`/v1/agents/${id}/tools/run_lens`)));
});

describe('POST /v1/agents/{aiLenserId}/actions', () => {
  it('answers 200 with a run of the owner', async () => {
    const id = await anAgent();
    const { status, body } = await ada.post(`/v1/agents/${id}/actions`, runsLens());
    expect([status, body.data]).toMatchObject([200, { result: 'success', action: 'run_lens', aiLenserId: id }]);
    const { runId } = body.data?.['output'] as { runId: string };
    expect((await ada.get(`/v1/runs/${runId}`)).body.data).toMatchObject({ origin: 'agent', lensId });
    expect((await eve.get(`/v1/runs/${runId}`)).status).toBe(404);
  });

  it('answers 200 with the reason when the action is blocked', async () => {
    const { body } = await ada.post(`/v1/agents/${await anAgent({})}/actions`, runsLens());
    expect(body.data).toMatchObject({ result: 'blocked_by_policy', reason: 'policy' });
  });

  it('answers 400 to invalid metadata and a key of another action', async () => {
    const path = `/v1/agents/${await anAgent()}/actions`;
    const refused = await ada.post(path, { actionType: 'run_lens' });
    expect(refused.body.error?.details).toMatchObject({ issues: [{ path: 'metadata.lens_id' }] });
    expect((await ada.post(path, { actionType: 'fly' })).status).toBe(400);
    const { metadata, ...action } = runsLens();
    const keyed = { ...action, metadata: { ...metadata, idempotency_key: 'k' } };
    expect((await ada.post(path, keyed)).status).toBe(200);
    const reused = await ada.post(path, { actionType: 'cast_vote', metadata: { idempotency_key: 'k' } });
    expect(outcome(reused)).toEqual([400, 'idempotency_key_reused']);
  });

  it('answers 400, 401, 403 and 404', () =>
    expectRefusals('write', (by, id) => by.post(`/v1/agents/${id}/actions`, runsLens())));
});

describe('/v1/agents/{aiLenserId}/approvals', () => {
  const requested = async (): Promise<{ path: string; approvalId: string }> => {
    const path = `/v1/agents/${await anAgent({ run_lens: 'ask' })}`;
    const { body } = await ada.post(`${path}/actions`, runsLens());
    expect(body.data).toMatchObject({ result: 'blocked_by_policy', reason: 'approval_required' });
    return {
      path: `${path}/approvals`,
      approvalId: (body.data?.['output'] as { approvalId: string }).approvalId,
    };
  };

  it('GET answers 200 with the approvals by status, POST performs the action once and then answers 409', async () => {
    const { path, approvalId } = await requested();
    expect(items(await ada.get(`${path}?status=pending`))).toMatchObject([{ id: approvalId, status: 'pending' }]);
    const handle = expect.any(String);
    expect(items(await ada.get('/v1/agent-approvals?limit=1'))).toMatchObject([{ id: approvalId, handle }]);
    expect(items(await eve.get('/v1/agent-approvals'))).toEqual([]);
    const approved = await ada.post(`${path}/${approvalId}`, { approve: true });
    expect([approved.status, approved.body.data]).toMatchObject([200, { status: 'approved', result: 'success' }]);
    const again = await ada.post(`${path}/${approvalId}`, { approve: true });
    expect(outcome(again)).toEqual([409, 'conflict']);
    expect(again.body.error?.details).toMatchObject({ status: 'approved', answeredAt: expect.any(String) });
    expect(items(await ada.get(`${path}?status=pending`))).toEqual([]);
    expect(items(await ada.get('/v1/agent-approvals')).map(({ id }) => id)).not.toContain(approvalId);
  });

  it('POST answers 400, 401, 403 and 404', async () => {
    const { path, approvalId } = await requested();
    expect((await ada.post(`${path}/${approvalId}`, {})).status).toBe(400);
    expect((await ada.post(`${path}/${newId()}`, { approve: true })).status).toBe(404);
    expect((await eve.post(`${path}/${approvalId}`, { approve: true })).status).toBe(404);
    await expectRefusals('write', (by, id) => by.post(`/v1/agents/${id}/approvals/${newId()}`, { approve: true }));
  });

  it('GET answers 400, 401, 403 and 404', () =>
    expectRefusals('read', (by, id) => by.get(`/v1/agents/${id}/approvals`)));
});

describe('/v1/agents/{aiLenserId}/runs', () => {
  it('POST answers 403 to every token: the service role alone starts team runs', async () => {
    const path = `/v1/agents/${await anAgent()}/runs`;
    expect(outcome(await ada.post(path, { workflowId, policy: 'auto' }))).toEqual([403, 'forbidden']);
    expect((await ada.post(path, { workflowId, policy: 'often' })).status).toBe(400);
    expect(items(await ada.get(path))).toEqual([]);
  });

  it('GET answers 200 with the team runs, the newest first, and with one of them', async () => {
    const id = await anAgent();
    const path = `/v1/agents/${id}/runs`;
    const [first, second] = [await aTeamRun(id), await aTeamRun(id, 'manual')];
    const { items: all } = await allPages(ada.get, path);
    expect(all.map((run) => [run['id'], run['status'], run['policy']])).toEqual([
      [second, 'blocked', 'manual'],
      [first, 'queued', 'auto'],
    ]);
    expect((await ada.get(`${path}/${first}`)).body.data).toEqual(all[1]);
    expect((await ada.get(`/v1/runs/${first}`)).body.data).toMatchObject({ origin: 'team', status: 'queued' });
  });

  it('approve answers 200 to the owner once, and 409 then', async () => {
    const id = await anAgent();
    const path = `/v1/agents/${id}/runs/${await aTeamRun(id, 'manual')}/approve`;
    expect((await eve.post(path)).status).toBe(404);
    const { status, body } = await ada.post(path);
    expect([status, body.data]).toMatchObject([200, { status: 'queued', approvedAt: expect.any(String) }]);
    expect(outcome(await ada.post(path))).toEqual([409, 'conflict']);
  });

  it('cancel answers 200, also when repeated, and 409 for a run that has failed', async () => {
    const id = await anAgent();
    const runId = await aTeamRun(id);
    for (let tries = 0; tries < 2; tries += 1) {
      const { status, body } = await ada.post(`/v1/agents/${id}/runs/${runId}/cancel`);
      expect([status, body.data?.['status']]).toEqual([200, 'cancelled']);
    }
    const failed = await aTeamRun(id);
    await gateway.ctx.db.query(`update runs set status = 'timed_out', completed_at = now() where id = $1`, [failed]);
    expect(outcome(await ada.post(`/v1/agents/${id}/runs/${failed}/cancel`))).toEqual([409, 'conflict']);
  });

  it('answers 400, 401, 403 and 404', async () => {
    await expectRefusals('read', (by, id) => by.get(`/v1/agents/${id}/runs`));
    await expectRefusals('read', (by, id) => by.get(`/v1/agents/${id}/runs/${newId()}`));
    await expectRefusals('write', (by, id) => by.post(`/v1/agents/${id}/runs/${newId()}/approve`));
    await expectRefusals('write', (by, id) => by.post(`/v1/agents/${id}/runs/${newId()}/cancel`));
  });

  it('end when their AI lenser is archived', async () => {
    const id = await anAgent();
    const runId = await aTeamRun(id);
    expect((await ada.post(`/v1/agents/${id}/archive`)).status).toBe(200);
    expect((await ada.get(`/v1/agents/${id}/runs/${runId}`)).body.data).toMatchObject({ status: 'cancelled' });
  });
});

describe('GET /v1/agents/{aiLenserId}/events', () => {
  const follow = (agentId: string, lastEventId?: string, url = gateway.url): EventStream =>
    readEvents(`${url}/v1/agents/${agentId}/events`, {
      headers: { authorization: `Bearer ${ada.token}` },
      ...(lastEventId !== undefined && { lastEventId }),
    });
  const inWords = (frames: readonly Frame[]): string[] => frames.map(({ id, event }) => `${id} ${event}`);

  it('streams events as they happen, at every gateway, and ends when the AI lenser is archived', async () => {
    const id = await anAgent();
    const streams = [follow(id), follow(id, undefined, otherUrl), follow(id, '1')];
    const reading = streams.map((stream) => framesOf(stream));
    await Promise.all(streams.slice(0, 2).map((stream) => until(() => stream.text.includes('tool.assigned'))));
    await ada.post(`/v1/agents/${id}/actions`, runsLens());
    await ada.post(`/v1/agents/${id}/actions`, { actionType: 'cast_vote' });
    await aTeamRun(id);
    await ada.post(`/v1/agents/${id}/archive`);
    const [one, other, resumed] = await Promise.all(reading);
    const all = inWords(one ?? []);
    expect(all.slice(0, 5)).toEqual([
      '1 tool.assigned',
      '2 run.started',
      '3 action.decided',
      '4 action.decided',
      '5 run.started',
    ]);
    expect(all.slice(5)).toEqual(['6 run.ended', '7 run.ended', '8 agent.archived', '8 done']);
    expect(inWords(other ?? [])).toEqual(all);
    expect(inWords(resumed ?? [])).toEqual(all.slice(1));
    expect(one?.[0]?.data).toEqual({
      eventType: 'tool.assigned',
      payload: { toolId: 'run_lens', allowed: true },
      occurredAt: expect.any(String),
      aiLenserId: id,
      runId: null,
      sequence: 1,
    });
  });

  it('answers 400, 401, 403 and 404 before any byte of a stream', () =>
    expectRefusals('read', (by, id) => by.get(`/v1/agents/${id}/events`)));

  it('answers 429 to more streams than the account may have open', async () => {
    const id = await anAgent();
    const streams = Array.from({ length: 5 }, () => follow(id));
    const reading = streams.map((stream) => framesOf(stream).catch(() => undefined));
    await Promise.all(streams.map((stream) => stream.opened));
    expect(outcome(await ada.get(`/v1/agents/${id}/events`))).toEqual([429, 'rate_limited']);
    for (const stream of streams) stream.close();
    await Promise.all(reading);
  });
});
