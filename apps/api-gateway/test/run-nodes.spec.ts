import { type Context, newId } from '@lensforge/core';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { acceptWorkflowRun } from '@lensforge/runs';
import { aWorkflow } from '@lensforge/workflows/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Gateway, aGateway } from './gateway.js';
import { items } from './callers.js';

let gateway: Gateway;
let ctx: Context;
let stranger: string;
let runId: string;

beforeAll(async () => {
  gateway = await aGateway({ LENSFORGE_RATE_INCOMING_PER_MINUTE: '30' });
  ctx = actingAs(gateway.ctx, gateway.accountId);
  stranger = (await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id })).value;
  const { id: workflowId } = await aWorkflow(ctx);
  ({ runId } = await acceptWorkflowRun(ctx, { workflowId, inputs: {}, timeoutMs: 600_000 }));
  await ctx.db.query(`update runs set status = 'running', started_at = now(), lease_until = null where id = $1`, [
    runId,
  ]);
});
afterAll(() => gateway.stop());

async function aNode(nodeKey: string, status = 'waiting', type = 'approval'): Promise<void> {
  await ctx.db.query(
    `insert into node_results (run_id, node_key, node_id, type, status, generation, attempt, output, started_at, completed_at)
     values ($1, $2, $2, $3, $4, 1, 1, '{"n":1}', now(), case when $4 = 'succeeded' then now() end)`,
    [runId, nodeKey, type, status],
  );
}

const typeOf = { approval: 'approval', webhook: 'webhook_wait', tool: 'lens' };

async function aWait(nodeKey: string, kind: keyof typeof typeOf, expires = '1 hour'): Promise<string> {
  await aNode(nodeKey, 'waiting', typeOf[kind]);
  const id = newId();
  await ctx.db.query(
    `insert into node_waits (run_id, id, node_key, kind, message, details, expires_at)
     values ($1, $2, $3, $4, 'Publish it?', '{"to":"all"}', now() + $5::interval)`,
    [runId, id, nodeKey, kind, expires],
  );
  return id;
}

const jobsOf = (nodeKey: string) =>
  ctx.db.query<unknown[]>(`select 1 from outbox where job = 'node.execute' and payload ->> 'nodeKey' = $1`, [nodeKey]);

describe('GET /v1/runs/{runId}/nodes', () => {
  beforeAll(async () => {
    for (const key of ['na', 'nb', 'nc']) await aNode(key, 'succeeded', 'transform');
  });

  it('answers 200 with the state of each node, in pages', async () => {
    const first = await gateway.call('GET', `/v1/runs/${runId}/nodes?status=succeeded&limit=2`);
    expect(first.status).toBe(200);
    expect(items(first).map(({ nodeKey, output }) => [nodeKey, output])).toEqual([
      ['na', { n: 1 }],
      ['nb', { n: 1 }],
    ]);
    const { nextCursor } = first.body.meta as { nextCursor: string };
    const next = await gateway.call('GET', `/v1/runs/${runId}/nodes?status=succeeded&limit=2&cursor=${nextCursor}`);
    expect(items(next).map(({ nodeKey }) => nodeKey)).toEqual(['nc']);
  });

  it('answers 400 to an invalid cursor', async () => {
    expect((await gateway.call('GET', `/v1/runs/${runId}/nodes?cursor=!!`)).status).toBe(400);
  });

  it('answers 404 to an unknown run and to one of another account', async () => {
    expect((await gateway.call('GET', `/v1/runs/${newId()}/nodes`)).status).toBe(404);
    expect((await gateway.call('GET', `/v1/runs/${runId}/nodes`, { token: stranger })).status).toBe(404);
  });
});

describe('approvals of a run', () => {
  const answer = (id: string, body: object, token?: string) =>
    gateway.call('POST', `/v1/runs/${runId}/approvals/${id}`, { body, ...(token !== undefined && { token }) });

  it('are listed, and answered once with changes, which wakes their node', async () => {
    const id = await aWait('ask', 'approval');
    const listed = await gateway.call('GET', `/v1/runs/${runId}/approvals`);
    expect(items(listed).find((each) => each['id'] === id)).toMatchObject({ status: 'pending', data: { to: 'all' } });
    const approved = await answer(id, { decision: 'approve', data: { to: 'some' }, comment: 'fewer' });
    expect([approved.status, approved.body.data]).toEqual([
      200,
      expect.objectContaining({
        id,
        status: 'approved',
        data: { to: 'some' },
        comment: 'fewer',
        answeredBy: gateway.accountId,
      }),
    ]);
    const again = await answer(id, { decision: 'reject' });
    expect([again.status, again.body.error?.details]).toEqual([409, expect.objectContaining({ status: 'approved' })]);
    expect(again.body.error?.message).toBe('This approval was already answered: approved');
  });

  it('answer 409 after they have expired', async () => {
    const id = await aWait('late', 'approval', '-1 second');
    const { status, body } = await answer(id, { decision: 'approve' });
    expect([status, body.error?.details]).toEqual([409, expect.objectContaining({ status: 'expired' })]);
    expect(body.error?.message).toBe('This approval has expired');
    expect(await jobsOf('late')).toEqual([]);
  });

  it('answer 400 without a decision', async () => {
    expect((await answer(newId(), {})).status).toBe(400);
  });

  it('answer 403 without the scope, 404 to unknown ones and those of another account', async () => {
    const id = await aWait('mine', 'approval');
    const { value: reader } = await aToken(gateway.ctx, {
      accountId: gateway.accountId,
      held: ['workflows:read'],
    });
    expect((await answer(id, { decision: 'approve' }, reader)).status).toBe(403);
    expect((await answer(id, { decision: 'approve' }, stranger)).status).toBe(404);
    expect((await answer(newId(), { decision: 'approve' })).status).toBe(404);
    expect((await gateway.call('GET', `/v1/runs/${runId}/approvals`, { token: stranger })).status).toBe(404);
  });
});

describe('POST /v1/runs/{runId}/tool-results', () => {
  const send = (results: readonly object[], token?: string) =>
    gateway.call('POST', `/v1/runs/${runId}/tool-results`, {
      body: { results },
      ...(token !== undefined && { token }),
    });

  it('answers 200 with the calls that still wait, which the run shows, and wakes the node of the last one', async () => {
    const [first, second] = [await aWait('tool-a', 'tool'), await aWait('tool-b', 'tool')];
    const shown = await gateway.call('GET', `/v1/runs/${runId}`);
    const call = { nodeKey: 'tool-a', name: 'Publish it?', input: { to: 'all' } };
    expect(shown.body.data).toMatchObject({
      status: 'running',
      requiredAction: { type: 'tool_results', calls: [{ callId: first, ...call }, { callId: second }] },
    });
    const answered = await send([{ callId: first, output: { done: [1, 'two'] } }]);
    expect([answered.status, answered.body.data]).toEqual([
      200,
      { runId, requiredAction: { type: 'tool_results', calls: [expect.objectContaining({ callId: second })] } },
    ]);
    expect([(await jobsOf('tool-a')).length, (await jobsOf('tool-b')).length]).toEqual([1, 0]);
    expect((await send([{ callId: second, error: 'It is closed.' }])).body.data).toEqual({
      runId,
      requiredAction: null,
    });
    expect((await gateway.call('GET', `/v1/runs/${runId}`)).body.data).toMatchObject({ requiredAction: null });
  });

  it('answers 409 to another result of a call, and after its time', async () => {
    const id = await aWait('tool-once', 'tool');
    expect((await send([{ callId: id, output: 1 }])).status).toBe(200);
    expect((await send([{ callId: id, output: 1 }])).status).toBe(200);
    const again = await send([{ callId: id, output: 2 }]);
    expect([again.status, again.body.error?.message]).toEqual([409, `The call ${id} has another result already`]);
    const late = await send([{ callId: await aWait('tool-late', 'tool', '-1 second'), output: 1 }]);
    expect([late.status, late.body.error?.message]).toEqual([409, expect.stringContaining('is over')]);
  });

  it('answers 400 to a body without results, with a call twice, and with a result that is none', async () => {
    const callId = await aWait('tool-bad', 'tool');
    const bodies = [
      [],
      [{ callId }],
      [{ callId, output: 1, error: 'x' }],
      [{ callId, error: '' }],
      [{ callId: 'x', output: 1 }],
    ];
    for (const results of bodies) expect((await send(results)).status).toBe(400);
    expect(
      (
        await send([
          { callId, output: 1 },
          { callId, output: 1 },
        ])
      ).status,
    ).toBe(400);
  });

  it('answers 403 without the scope, 404 to unknown calls and those of another account', async () => {
    const results = [{ callId: await aWait('tool-mine', 'tool'), output: 1 }];
    const { value: reader } = await aToken(gateway.ctx, {
      accountId: gateway.accountId,
      held: ['workflows:read', 'lenses:read'],
    });
    expect((await send(results, reader)).status).toBe(403);
    expect((await send(results, stranger)).status).toBe(404);
    expect((await send([{ callId: newId(), output: 1 }])).status).toBe(404);
    const approval = await aWait('tool-approval', 'approval');
    expect((await send([{ callId: approval, output: 1 }])).status).toBe(404);
  });
});

describe('GET /v1/approvals', () => {
  const pending = async (token?: string) =>
    items(await gateway.call('GET', '/v1/approvals', token === undefined ? {} : { token }));

  it('answers 200 with the approvals that wait for the caller, over all runs, with their workflows', async () => {
    const id = await aWait('inbox', 'approval');
    const late = await aWait('inbox-late', 'approval', '-1 second');
    const call = await aWait('inbox-call', 'webhook');
    const listed = await pending();
    expect(listed.find((each) => each['id'] === id)).toMatchObject({
      runId,
      nodeKey: 'inbox',
      message: 'Publish it?',
      data: { to: 'all' },
      status: 'pending',
      workflowId: expect.any(String),
      workflowTitle: expect.any(String),
    });
    expect(listed.filter((each) => [late, call].includes(String(each['id'])))).toEqual([]);
    await gateway.call('POST', `/v1/runs/${runId}/approvals/${id}`, { body: { decision: 'reject' } });
    expect((await pending()).filter((each) => each['id'] === id)).toEqual([]);
    expect(await pending(stranger)).toEqual([]);
  });

  it('counts them without reading them all', async () => {
    await aWait('counted', 'approval');
    const { body } = await gateway.call('GET', '/v1/approvals?limit=1');
    expect(body.meta).toMatchObject({ total: (await pending()).length });
  });

  it('answers 403 without the scope', async () => {
    const { value: other } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['lenses:read'] });
    expect((await gateway.call('GET', '/v1/approvals', { token: other })).status).toBe(403);
  });
});

describe('a node that waits for a call', () => {
  const open = (nodeKey: string, token?: string) =>
    gateway.call('POST', `/v1/runs/${runId}/nodes/${nodeKey}/url`, token === undefined ? {} : { token });
  const call = (url: string, body: string, type = 'application/json') =>
    gateway.call('POST', new URL(url).pathname, { token: '', body, headers: { 'content-type': type } });

  const refusalOf = async (url: string) => {
    const { status, body } = await call(url, '{"ok":false}');
    return [status, body.error?.message];
  };

  it('gets 409 with the reason after the expiry of the callback URL or the end of the run', async () => {
    await aWait('slow', 'webhook');
    const url = String((await open('slow')).body.data?.['url']);
    const setWait = (expiry: string) =>
      ctx.db.query(`update node_waits set expires_at = now() + $1::interval where node_key = 'slow'`, [expiry]);
    await setWait('-1 second');
    expect(await refusalOf(url)).toEqual([409, 'This callback URL has expired']);
    expect((await open('slow')).body.error?.message).toBe('This node does not wait for a call any more');
    await setWait('1 hour');
    await ctx.db.query(`update runs set status = 'queued' where id = $1`, [runId]);
    expect(await refusalOf(url)).toEqual([409, 'The run of this callback URL has ended']);
    await ctx.db.query(`update runs set status = 'running' where id = $1`, [runId]);
    expect(await refusalOf(`http://x/v1/waits/${'a'.repeat(43)}`)).toEqual([
      404,
      'No node waits for a call under this URL',
    ]);
  });

  it('has a callback URL for one call; only the last one is valid', async () => {
    await aWait('hook', 'webhook');
    const before = String((await open('hook')).body.data?.['url']);
    const opened = await open('hook');
    expect(opened.status).toBe(201);
    const url = String(opened.body.data?.['url']);
    expect((await call(before, '{}')).status).toBe(404);
    expect((await call(url, '{"broken"')).status).toBe(400);
    expect((await call(url, '{"ok":true}', 'text/plain')).status).toBe(415);
    const received = await call(url, '{"ok":true}');
    expect([received.status, received.body.data]).toEqual([202, { received: true }]);
    expect(await refusalOf(url)).toEqual([409, 'This callback URL was already used']);
    const [wait] = await ctx.db.query<{ value: unknown }[]>(`select value from node_waits where node_key = 'hook'`);
    expect(wait?.value).toEqual({ ok: true });
    expect((await open('hook')).status).toBe(409);
  });

  it('gets 404 for a node that does not wait, one of another account, and an unknown URL', async () => {
    await aWait('own', 'webhook');
    expect((await open('nothing')).status).toBe(404);
    expect((await open('own', stranger)).status).toBe(404);
    expect((await call(`http://x/v1/waits/${'a'.repeat(43)}`, '{}')).status).toBe(404);
  });

  it('gets 413 for a body over the limit', async () => {
    const url = String((await open('own')).body.data?.['url']);
    expect((await call(url, JSON.stringify('x'.repeat(2_000_000)))).status).toBe(413);
  });

  it('gets 429 for too many calls from one network', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 40; n += 1) statuses.push((await call(`http://x/v1/waits/${'b'.repeat(43)}`, '{}')).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
