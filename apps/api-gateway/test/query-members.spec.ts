import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPublishedBattle, refitNow } from '@lensforge/battles/testing';
import { aKeyPair } from '@lensforge/byok/testing';
import { type Endpoint, endpoints } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { openSession } from '@lensforge/identity';
import { actingAs } from '@lensforge/identity/testing';
import { fanOutOutbox } from '@lensforge/webhooks/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { aProposal } from './a-proposal.js';
import type { Answer } from './gateway.js';
import { type Person, type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

/* The query parameters of every endpoint; unknown ones are refused. */
let gateway: SignedInGateway;
let token: string;
let ids: Record<string, string>;
beforeAll(async () => {
  const limits = ['EXECUTE', 'RUN', 'LIST', 'INCOMING'].map((name) => [`LENSFORGE_RATE_${name}_PER_MINUTE`, '1000000']);
  gateway = await aGatewayWithSignIn(Object.fromEntries(limits) as Record<string, string>);
  await aKeyPair(gateway.ctx);
  const person = await gateway.aPerson();
  token = gateway.sessionToken(person);
  ids = await aFullAccount(person);
});
afterAll(() => gateway.stop());

const call = (method: string, path: string, body?: object): Promise<Answer> =>
  gateway.call(method, path, { token, ...(body && { body }) });

const made = async (path: string, body: object, member = 'id'): Promise<string> => {
  const { body: answer } = await call('POST', path, body);
  return String(answer.data?.[member]);
};

/** Creates three or more objects for each list. */
async function aFullAccount({ accountId, userId }: Person): Promise<Record<string, string>> {
  const ctx = actingAs(gateway.ctx, accountId);
  const times = [1, 2, 3];
  const template = 'Tell [[Name]] about pages of lists, in a few words, and as a friend would do.';
  const lenses = await inOrder(times, () => made('/v1/lenses', { title: 'A lens', templateBody: template }));
  const [lensId] = lenses;
  const { body: me } = await call('GET', '/v1/me');
  const { handle } = (me.data as { account: { handle: string } }).account;
  for (const n of times) {
    await made('/v1/lenses', { title: `Including ${n}`, templateBody: `[[> ${handle}/${lensId}]] ${template}` });
    await call('PATCH', `/v1/lenses/${lensId}`, { templateBody: `${template} ${n}` });
    await call('PUT', `/v1/lenses/${lensId}/cases`, { name: `case ${n}`, params: {} });
    await call('PUT', `/v1/lenses/${lensId}/labels/l${n}`, { version: '1.0.0' });
    const node = { id: 'one', type: 'lens', settings: { lensId, params: { Name: 'Ada' } } };
    await made('/v1/workflows', { title: `With a lens ${n}`, graph: { nodes: [node], edges: [] } });
  }
  const [proposalId = ''] = await inOrder(times, () => aProposal(gateway.ctx, lensId ?? ''));
  const [datasetId = ''] = await inOrder(times, (n) => made('/v1/datasets', { name: `Dataset ${n}` }));
  for (const n of times) {
    const save = times.map((key) => ({ key: `${key}`, params: { Name: `${n}` }, tags: ['t'] }));
    await call('POST', `/v1/datasets/${datasetId}/cases`, { save });
  }
  const [experimentId = ''] = await inOrder(times, () =>
    made('/v1/experiments', {
      target: { lensId },
      dataset: { id: datasetId },
      arms: [{ name: 'newest', version: '1.0.0' }],
      scorers: [{ name: 'any', kind: 'check' }],
    }),
  );
  const [recordingId = ''] = await inOrder(times, (n) =>
    made('/v1/recordings', { name: `r${n}`, content: '{"recording":"lensforge","version":1}' }),
  );
  const [scorerId = ''] = await inOrder(times, (n) =>
    made('/v1/scorers', { name: `s${n}`, rule: { kind: 'check', assertions: [] } }),
  );
  await gateway.ctx.db.query(
    `insert into experiment_cells (experiment_id, key, repetition, arm) select $1, n::text, 1, 0 from generate_series(1, 3) n`,
    [experimentId],
  );
  const [runId = ''] = await inOrder(times, () =>
    made(`/v1/lenses/${lensId}/execute`, { params: { Name: 'Ada' } }, 'runId'),
  );
  const [queueId = ''] = await inOrder(times, (n) => made('/v1/review-queues', { name: `q${n}` }));
  await gateway.ctx.db.query(
    `insert into review_items (run_id, queue_id, id, state) select uuidv7(), $1, uuidv7(), 'open' from generate_series(1, 3)`,
    [queueId],
  );
  const [ruleId = ''] = await inOrder(times, (n) =>
    made('/v1/evaluation-rules', { name: `r${n}`, lensId, scorers: [{ id: scorerId }] }),
  );
  await inOrder(times, (n) => made(`/v1/runs/${runId}/scores`, { name: `s${n}`, score: 1 }));
  const [workflowId = ''] = await inOrder(times, async () => (await aWorkflow(ctx)).id);
  for (const n of times) {
    const note = { id: `n${n}`, type: 'transform', settings: { expression: '1' } };
    await call('PUT', `/v1/workflows/${workflowId}/labels/l${n}`, { version: '1' });
    await call('PUT', `/v1/workflows/${workflowId}/graph`, { graph: { nodes: [note], edges: [] } });
    await made(`/v1/workflows/${workflowId}/run`, { inputs: {} }, 'runId');
  }
  const [scheduleId = ''] = await inOrder(times, () =>
    made(`/v1/workflows/${workflowId}/schedules`, { cron: '0 0 * * *' }),
  );
  const [endpointId = ''] = await inOrder(times, (n) =>
    made('/v1/webhook-endpoints', { url: `https://example.com/${n}`, events: ['run.completed'] }),
  );
  for (const n of times) {
    await call('POST', `/v1/webhook-endpoints/${endpointId}/test`, {});
    await made('/v1/connectors', { name: `c${n}`, scopes: 'lenses:read' });
    await made('/v1/byok-keys', { provider: 'openai', label: `k${n}`, secret: 'sk-not-a-real-key' });
  }
  const [webhookId = ''] = await inOrder(times, (n) => made('/v1/incoming-webhooks', { workflowId, name: `w${n}` }));
  const [communityId = ''] = await inOrder(times, () =>
    made('/v1/communities', { handle: `c-${newId()}`, displayName: 'C' }),
  );
  await inOrder(times, () => made(`/v1/communities/${communityId}/invites`, {}));
  const [aiLenserId = ''] = await inOrder(times, () =>
    made('/v1/agents', { handle: `ai-${newId()}`, displayName: 'A' }),
  );
  const mcpServerId = newId();
  await gateway.ctx.db.query(
    `insert into mcp_servers (id, account_id, name, url, auth, created_at, updated_at)
     select case n when 1 then $1 else uuidv7() end, $2, 's' || n, 'https://mcp.example.com/', '{"kind":"none"}', now(), now()
       from generate_series(1, 3) n`,
    [mcpServerId, accountId],
  );
  await gateway.ctx.db.query(
    `insert into mcp_tools (server_id, name, definition, digest, changed_at)
     select $1, 't' || n, '{"description":"x","inputSchema":{},"annotations":{}}', sha256('x'), now() from generate_series(1, 3) n`,
    [mcpServerId],
  );
  const [battleId = ''] = await inOrder(times, () => made('/v1/battles', { title: 'B', taskPrompt: 'Write.' }));
  await aPublishedBattle(ctx, ['Ada', 'Ben', 'Cleo'], { votes: [[['Ada'], ['Ben'], ['Cleo']]] });
  await refitNow(ctx, 'ai_vs_ai');
  const [threadId = ''] = await inOrder(times, () => made('/v1/threads', { title: 'T' }));
  await inOrder(times, () => made(`/v1/threads/${threadId}/messages`, { text: 'Hello' }));
  for (const _ of times) {
    await call('PUT', `/v1/threads/${threadId}/mutes/${(await gateway.aPerson()).accountId}`);
  }
  await inOrder(times, (n) => made('/v1/tokens', { communityId, label: `t${n}` }));
  await inOrder(times, async (n) => {
    await call('PUT', `/v1/lenses/${lenses[n - 1] ?? ''}/sponsorship`, { credits: 10 });
    return openSession(gateway.ctx, { userId, kind: 'client' });
  });
  await fill({ runId, scheduleId, webhookId, endpointId, battleId, aiLenserId, workflowId });
  await gateway.worker.succeed(await gateway.worker.claim(runId));
  await fanOutOutbox(gateway.ctx);
  for (const _ of times) {
    const other = await gateway.aPerson();
    await gateway.ctx.db.query(`insert into memberships (community_id, account_id, role) values ($1, $2, 'member')`, [
      communityId,
      other.accountId,
    ]);
  }
  return {
    lensId: lensId ?? '',
    datasetId,
    experimentId,
    proposalId,
    scorerId,
    recordingId,
    runId,
    queueId,
    ruleId,
    workflowId,
    scheduleId,
    endpointId,
    webhookId,
    communityId,
    aiLenserId,
    mcpServerId,
    battleId,
    threadId,
    battleType: 'ai_vs_ai',
  };
}

async function inOrder<T>(items: readonly number[], make: (n: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (const n of items) all.push(await make(n));
  return all;
}

/** Inserts the rows that only workers write. */
async function fill({
  runId,
  scheduleId,
  webhookId,
  endpointId,
  battleId,
  aiLenserId,
  workflowId,
}: Record<string, string>): Promise<void> {
  const { db } = gateway.ctx;
  const three = 'from generate_series(1, 3) n';
  const statements: [string, unknown[]][] = [
    [
      `insert into run_artifacts (id, run_id, kind, content_text, is_primary_output, visibility)
       select gen_random_uuid(), $1, 'text', 'x', n = 1, 'private' ${three}`,
      [runId],
    ],
    [
      `insert into node_results (run_id, node_key, node_id, type, status, queued_at)
       select $1, 'n' || n, 'n' || n, 'transform', 'queued', now() ${three}`,
      [runId],
    ],
    [
      `insert into node_waits (run_id, id, node_key, kind, expires_at)
       select $1, gen_random_uuid(), 'n' || n, 'approval', now() + interval '1 h' ${three}`,
      [runId],
    ],
    [`update runs set status = 'running', started_at = now(), lease_until = null where workflow_id = $1`, [workflowId]],
    [
      `insert into node_waits (run_id, id, node_key, kind, expires_at)
       select id, uuidv7(), 'ask', 'approval', now() + interval '1 h' from runs where workflow_id = $1`,
      [workflowId],
    ],
    [
      `insert into schedule_ticks (schedule_id, tick_at, outcome, reason)
       select $1, timestamptz '2026-01-01 00:00Z' + n * interval '1 day', 'missed', 'x' ${three}`,
      [scheduleId],
    ],
    [
      `insert into incoming_calls (id, webhook_id, account_id, status, body_bytes, address, request_id)
       select gen_random_uuid(), w.id, w.account_id, 422, 0, '127.0.0.1', gen_random_uuid()
         from incoming_webhooks w, generate_series(1, 3) where w.id = $1`,
      [webhookId],
    ],
    [
      `insert into webhook_replays (id, endpoint_id, account_id, from_at, to_at, what, state, ended_at)
       select gen_random_uuid(), id, account_id, now() - interval '1 h', now(), 'all', 'done', now() from webhook_endpoints, generate_series(1, 3)
        where id = $1`,
      [endpointId],
    ],
    [
      `insert into agent_tools (agent_id, tool_id, allowed, assigned_at, updated_at)
       select $1, 'tool ' || n, true, now(), now() ${three}`,
      [aiLenserId],
    ],
    [
      `insert into agent_actions (id, agent_id, action, metadata, verdict, approval, expires_at, created_at)
       select gen_random_uuid(), $1, 'cast_vote', '{}', 'ask', 'pending', now() + interval '1 h', now() ${three}`,
      [aiLenserId],
    ],
    [
      `insert into agent_runs (run_id, agent_id, kind, policy, created_at)
       select id, $1, 'team', 'auto', now() from runs where workflow_id = $2`,
      [aiLenserId, workflowId],
    ],
    // Both lists of battles have those of the caller that are archived.
    [
      `update battles b set status = 'archived' from battles one
        where one.id = $1 and b.creator_account_id = one.creator_account_id`,
      [battleId],
    ],
    [
      `insert into webhook_events (id, account_id, type, body, occurred_at)
       select gen_random_uuid(), account_id, 'webhook.test', '{"data":{}}', now() - n * interval '1 s'
         from webhook_endpoints, generate_series(1, 3) n where id = $1`,
      [endpointId],
    ],
  ];
  for (const [sql, parameters] of statements) await db.query(sql, parameters);
}

const pathOf = ({ path }: Endpoint): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? (name === 'accountId' ? newId() : newId()));

const rows = Object.values<Endpoint>(endpoints);

interface Meta {
  limit?: number;
  offset?: number;
  total?: number;
  hasNextPage?: boolean;
  nextCursor?: string;
}

describe('a list', () => {
  const lists = rows.filter(({ replies }) => replies === 'list');

  it.each(lists.map((row) => [`${row.method} ${row.path}`, row] as const))(
    'at %s takes limit, offset and cursor, and returns the position of a page in meta',
    async (_, row) => {
      const page = async (query: string): Promise<{ items: string[]; meta: Meta }> => {
        const { status, body } = await call('GET', `${pathOf(row)}${query}`);
        expect([query, status, body.error]).toEqual([query, 200, null]);
        // A credential is used while the pages are read, and its last use is stored later.
        const items = (body.data as unknown as object[]).map((item) =>
          JSON.stringify({ ...item, lastUsedAt: undefined }),
        );
        return { items, meta: body.meta as Meta };
      };
      const whole = await page('?limit=100');
      const usual = await page('');
      expect(usual.items).toEqual(whole.items.slice(0, usual.meta.limit));
      expect(whole.items.length).toBeGreaterThanOrEqual(1);
      expect(whole.meta).toMatchObject({ limit: expect.any(Number), offset: 0, hasNextPage: false });
      expect(whole.meta).not.toHaveProperty('nextCursor');
      const { total } = whole.meta;
      if (total !== undefined) expect(total).toBe(whole.items.length);

      const first = await page('?limit=1');
      const others = whole.items.slice(1);
      expect(first.items).toEqual(whole.items.slice(0, 1));
      expect(first.meta).toMatchObject({ limit: 1, offset: 0, hasNextPage: others.length > 0 });
      expect(await page('?limit=100&offset=1')).toMatchObject({ items: others, meta: { limit: 100, offset: 1 } });
      expect(await page('?offset=10000')).toMatchObject({ items: [], meta: { offset: 10_000, hasNextPage: false } });
      if (others.length === 0) return;
      const { nextCursor = '' } = first.meta;
      expect((await page(`?limit=100&cursor=${nextCursor}`)).items).toEqual(others);
      expect((await page(`?limit=100&offset=1&cursor=${nextCursor}`)).items).toEqual(others.slice(1));
    },
  );

  it.each(lists.map((row) => [`${row.method} ${row.path}`, row] as const))(
    'at %s refuses invalid limits, offsets and cursors',
    async (_, row) => {
      for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'offset=x', 'cursor=', 'cursor=next']) {
        const { status, body } = await call('GET', `${pathOf(row)}?${query}`);
        expect([query, status]).toEqual([query, 400]);
        const { issues } = body.error?.details as { issues: { path: string }[] };
        expect([query, issues.map(({ path }) => path)]).toEqual([query, [query.split('=')[0]]]);
      }
    },
  );
});

describe('an unknown query parameter', () => {
  const guarded = rows.filter(({ id }) => id !== 'health' && id !== 'callIncomingWebhook');

  it.each(guarded.map((row) => [`${row.method} ${row.path}`, row] as const))('is refused by %s', async (_, row) => {
    const { status, body } = await call(row.method, `${pathOf(row)}?frobnicate=1`, row.body && {});
    expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    const { issues } = body.error?.details as { issues: object[] };
    expect(issues).toContainEqual(expect.objectContaining({ in: 'query', path: 'frobnicate' }));
  });
});
