import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordAudit, verifyAudit } from '@lensforge/audit';
import { aBattle, aContender, aVote } from '@lensforge/battles/testing';
import { aKeyPair } from '@lensforge/byok/testing';
import { type ExportedObject, endpoints } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken, actingAs } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { eraseClosedAccounts } from '@lensforge/runs';
import { type TestCaller, aCaller, aCommunityOf, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  await aKeyPair(gateway.ctx);
});
afterAll(() => gateway.stop());

interface Busy {
  person: TestCaller;
  handle: string;
  lensId: string;
  publicLensId: string;
  workflowId: string;
  runId: string;
  threadId: string;
}

const hidden = 'A private recipe for [[Dish]] which no other account may ever read.';

const tried = 'A shorter recipe for [[Dish]].';

/** A person with something of most kinds, and a run that has not ended. */
async function aBusyPerson(): Promise<Busy> {
  const person = await aCaller(gateway);
  const ctx = actingAs(gateway.ctx, person.accountId);
  const idOf = async (path: string, body: object): Promise<string> => {
    const made = await person.post(path, body);
    expect(outcome(made)).toEqual([201, undefined]);
    return String(made.body.data?.['id']);
  };
  const { id: lensId } = await aLens(ctx, { templateBody: hidden, visibility: 'private' });
  const datasetId = await idOf('/v1/datasets', { name: 'Dishes' });
  await person.post(`/v1/datasets/${datasetId}/cases`, { save: [{ key: 'soup', params: { Dish: 'soup' } }] });
  await person.post('/v1/experiments', {
    target: { lensId },
    dataset: { id: datasetId },
    arms: [{ name: 'tried', candidate: { templateBody: tried } }],
    scorers: [{ name: 'any', kind: 'check' }],
  });
  await idOf('/v1/recordings', { name: 'Replies', content: '{"recording":"lensforge","version":1}' });
  await idOf('/v1/scorers', { name: 'any', rule: { kind: 'check' } });
  const { id: publicLensId } = await aLens(ctx, { templateBody: hidden, visibility: 'public' });
  const workflowId = await idOf('/v1/workflows', endpoints.createWorkflow.example ?? {});
  const threadId = await idOf('/v1/threads', { title: 'Notes', visibility: 'public' });
  const privateThreadId = await idOf('/v1/threads', { title: 'My notes' });
  for (const id of [threadId, privateThreadId]) {
    await person.post(`/v1/threads/${id}/messages`, { text: 'A message of mine' });
  }
  await idOf('/v1/webhook-endpoints', endpoints.createWebhookEndpoint.example ?? {});
  await person.put(`/v1/lenses/${publicLensId}/cases`, { name: 'Soup', params: { Dish: 'soup' } });
  const accepted = await person.post(`/v1/lenses/${lensId}/execute`, { params: { Dish: 'soup' } });
  expect(outcome(accepted)).toEqual([202, undefined]);
  const [{ handle }] = await gateway.ctx.db.query<[{ handle: string }]>('select handle from accounts where id = $1', [
    person.accountId,
  ]);
  const runId = String(accepted.body.data?.['runId']);
  return { person, handle, lensId, publicLensId, workflowId, runId, threadId };
}

async function exported({ token }: TestCaller): Promise<ExportedObject[]> {
  const answer = await fetch(`${gateway.url}/v1/me/export`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toContain('lensforge-export.ndjson');
  return (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportedObject);
}

/** A person with a marked value in everything that only they see, and in all that names them. */
async function aMarkedPerson(mark: string): Promise<TestCaller> {
  const person = await aCaller(gateway);
  const { accountId, userId } = person;
  const { ctx } = gateway;
  const own = actingAs(ctx, accountId);
  await ctx.db.query('update accounts set handle = $2, display_name = $3, description = $3 where id = $1', [
    accountId,
    `${mark}-h`,
    `Name ${mark}`,
  ]);
  await ctx.db.query('update users set email = $2 where id = $1', [userId, `${mark}@lensforge.test`]);
  await ctx.db.query('update sessions set address = $2, user_agent = $2 where user_id = $1', [userId, mark]);
  await recordAudit(own, { accountId, action: 'user.signed_in', details: { address: mark } });
  const idOf = async (path: string, body: object): Promise<string> => {
    const made = await person.post(path, body);
    if (made.status > 202) throw new Error(`${path}: ${made.status} ${JSON.stringify(made.body)}`);
    return String(made.body.data?.['id'] ?? made.body.data?.['runId']);
  };
  const text = `A text with ${mark}`;
  const lensId = await idOf('/v1/lenses', {
    title: text,
    description: text,
    tags: [mark],
    templateBody: `${text}, which no other account may ever read, about [[Dish]]`,
    settings: { examples: [{ params: { Dish: mark }, answer: mark }] },
    visibility: 'private',
  });
  await person.put(`/v1/lenses/${lensId}/cases`, { name: text, params: { Dish: mark } });
  const templateBody = 'A public text about [[Dish]], which stays when its author closes the account.';
  const publicLens = await idOf('/v1/lenses', { title: 'Soup', templateBody, visibility: 'public' });
  const baseVersionId = newId();
  await person.put(`/v1/lenses/${publicLens}/draft`, { templateBody: mark, settings: null, baseVersionId });
  await person.post(`/v1/lenses/${publicLens}/candidates`, { templateBody: `${templateBody} ${mark}` });
  const publicWorkflow = await idOf('/v1/workflows', { title: 'Soup', visibility: 'public' });
  const graph = { nodes: [{ id: 'a', type: 'transform', settings: { expression: `'${mark}'` } }] };
  await person.post(`/v1/workflows/${publicWorkflow}/candidates`, { graph });
  const datasetId = await idOf('/v1/datasets', { name: text, description: text });
  const save = [{ key: mark, params: { Dish: mark }, expected: mark, metadata: { note: mark }, tags: [mark] }];
  await person.post(`/v1/datasets/${datasetId}/cases`, { save, message: mark });
  await person.post('/v1/experiments', {
    name: text,
    target: { lensId },
    dataset: { id: datasetId },
    arms: [{ name: mark, candidate: { templateBody: `${text}, which is only tried, about [[Dish]] ${mark}-tried` } }],
    scorers: [{ name: 'any', kind: 'check', assertions: [{ type: 'contains', value: mark }] }],
  });
  // No model of a test has a batch service.
  await ctx.db.query(
    `insert into batch_calls (run_id, experiment_id, provider, model, request, answer, complete_by)
     select $2, id, 'openai', 'm', json_build_object('input', $3::text), json_build_object('output', $3::text), now()
       from experiments where account_id = $1`,
    [accountId, newId(), mark],
  );
  await idOf('/v1/recordings', {
    name: mark,
    content: `{"recording":"lensforge","version":1}\n${JSON.stringify({ kind: 'http', place: '', repetition: 1, request: { url: mark }, response: { body: mark } })}`,
  });
  await idOf('/v1/scorers', { name: mark, rule: { kind: 'model', method: 'rubric', rubric: text } });
  const program = await idOf('/v1/scorers', {
    name: `${mark}-2`,
    rule: { kind: 'http', url: `https://${mark}.example/` },
  });
  await ctx.db.query(
    `insert into scorer_calls (id, account_id, scorer_id, url, request) values ($1, $2, $3, $4, json_build_object('output', $5::text))`,
    [newId(), accountId, program, `https://${mark}.example/`, mark],
  );
  await person.put(`/v1/lenses/${lensId}/labels/${mark}`, { version: '1.0.0' });
  const run = { params: { Dish: mark }, idempotencyKey: mark, tags: [mark], metadata: { note: mark } };
  await person.post(`/v1/runs/${await idOf(`/v1/lenses/${lensId}/execute`, run)}/cancel`);
  const workflowId = await idOf('/v1/workflows', { title: text, description: text });
  await idOf(`/v1/workflows/${workflowId}/schedules`, { title: text, cron: '0 0 1 1 *' });
  await idOf('/v1/incoming-webhooks', { workflowId, name: text });
  const endpointId = await idOf('/v1/webhook-endpoints', {
    url: `https://${mark}.example/`,
    description: text,
    events: ['run.failed'],
  });
  await person.post(`/v1/webhook-endpoints/${endpointId}/test`, {});
  await idOf('/v1/connectors', { name: mark, scopes: 'lenses:read' });
  await idOf('/v1/tokens/developer', { label: text });
  await idOf('/v1/byok-keys', { provider: 'openai', label: text, secret: 'sk-mine-and-mine-only' });
  await idOf('/v1/mcp-servers', { name: mark, url: `https://${mark}.example/mcp` });
  const threadId = await idOf('/v1/threads', { title: text });
  await idOf(`/v1/threads/${threadId}/messages`, { text });
  const agentId = await idOf('/v1/agents', {
    handle: `${mark}-ai`,
    displayName: text,
    bio: text,
    instructions: text,
    policy: { actions: { run_lens: 'allow' } },
  });
  await person.put(`/v1/agents/${agentId}/tools/run_lens`, { allowed: true });
  await person.post(`/v1/agents/${agentId}/actions`, {
    actionType: 'run_lens',
    metadata: { lens_id: newId(), param_values: { Dish: mark }, idempotency_key: mark },
  });
  await idOf('/v1/battles', { title: text, taskPrompt: text });
  await idOf('/v1/run-operations', { action: 'cancel', filter: { tag: [mark] } });
  const voted = await aBattle(actingAs(ctx, (await aCaller(gateway)).accountId));
  await aContender(ctx, voted, { displayName: `Name ${mark}`, lenserAccountId: accountId });
  await aVote(ctx, voted, [], accountId);
  await ctx.db.query('update battle_votes set comment = $2 where account_id = $1', [accountId, text]);
  const communityId = await aCommunityOf(await aCaller(gateway));
  await person.post(`/v1/communities/${communityId}/join`);
  return person;
}

/** Columns in which a marked person has values, for the sake of a test that could pass with an empty account. */
const markedColumns = [
  'accounts.handle',
  'agent_actions.metadata',
  'ai_lensers.instructions',
  'api_tokens.label',
  'audit_details.details',
  'batch_calls.answer',
  'batch_calls.request',
  'battle_contenders.display_name',
  'battle_votes.comment',
  'battles.task_prompt',
  'byok_keys.label',
  'connectors.name',
  'dataset_cases.params',
  'dataset_revisions.message',
  'datasets.name',
  'experiments.name',
  'idempotency_keys.key',
  'incoming_webhooks.name',
  'lens_cases.params',
  'lens_drafts.template_body',
  'lens_versions.settings',
  'lens_versions.template_body',
  'lenses.title',
  'mcp_servers.url',
  'recorded_calls.request',
  'recorded_calls.response',
  'recordings.name',
  'run_operations.filter',
  'runs.params',
  'schedules.title',
  'scorer_calls.request',
  'scorer_calls.url',
  'scorer_versions.rule',
  'scorers.name',
  'search_terms.term',
  'sessions.address',
  'thread_messages.text',
  'users.email',
  'webhook_endpoints.url',
  'workflows.title',
  'workflow_versions.graph',
];

/** All columns of texts, JSON and lists in any table that have a value with the mark, as `table.column`. */
async function columnsWith(mark: string): Promise<string[]> {
  const columns = await gateway.ctx.db.query<{ table: string; column: string; type: string }[]>(
    `select c.table_name as table, c.column_name as column, data_type as type
       from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       join pg_class k on k.oid = format('%I.%I', table_schema, table_name)::regclass and not k.relispartition
      where table_schema = current_schema() and table_type = 'BASE TABLE'
        and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'tsvector', 'bytea')
      order by 1, 2`,
  );
  expect(columns.length).toBeGreaterThan(300);
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
    const [row] = await gateway.ctx.db.query<unknown[]>(
      `select 1 from "${table}" where strpos(lower(${text}), $1) > 0 limit 1`,
      [mark],
    );
    if (row) found.push(`${table}.${column}`);
  }
  return found;
}

describe('GET /v1/me/export', () => {
  it('answers 200 with all objects of the person, and with no secret', async () => {
    const { person, lensId, runId, threadId } = await aBusyPerson();
    const other = await aBusyPerson();
    await aCommunityOf(person);
    const lines = await exported(person);
    const ofType = (type: string) => lines.filter((line) => line.type === type).map(({ object }) => object);
    expect(ofType('account')).toMatchObject([{ email: `${person.userId}@lensforge.test` }]);
    expect(ofType('lens').map(({ id }) => id)).toContain(lensId);
    expect(ofType('lens_version').map(({ templateBody }) => templateBody)).toEqual([hidden, hidden, tried]);
    expect(ofType('dataset_case')).toMatchObject([{ key: 'soup' }]);
    expect(ofType('recording')).toMatchObject([{ name: 'Replies', calls: 0 }]);
    expect(ofType('scorer')).toMatchObject([{ name: 'any', version: 1 }]);
    expect(ofType('experiment')).toMatchObject([{ lensId, arms: [{ name: 'tried', isCandidate: true }] }]);
    expect(ofType('lens_case')).toMatchObject([{ name: 'Soup', params: { Dish: 'soup' } }]);
    expect(ofType('workflow')).toHaveLength(1);
    expect(ofType('workflow_version')).toMatchObject([{ graph: expect.anything() }]);
    expect(ofType('run')).toMatchObject([{ id: runId, params: { Dish: 'soup' } }]);
    expect(ofType('thread_message').filter((message) => message['threadId'] === threadId)).toMatchObject([
      { text: 'A message of mine' },
    ]);
    expect(ofType('webhook_endpoint')).toHaveLength(1);
    expect(ofType('community')).toHaveLength(1);
    expect(ofType('audit_entry').length).toBeGreaterThan(0);
    const text = JSON.stringify(lines);
    expect(text).not.toContain('whsec_');
    expect(text).not.toContain(other.person.accountId);
  });

  it('answers 200 with the account alone before a handle is chosen', async () => {
    const person = await gateway.aPerson({ accountId: null });
    const token = gateway.sessionToken(person);
    const lines = await exported({ token } as TestCaller);
    expect(lines.map(({ type }) => type)).toEqual(['account']);
  });
});

describe('POST /v1/me/close', () => {
  const close = ({ person, handle }: Pick<Busy, 'person' | 'handle'>) => person.post('/v1/me/close', { handle });

  it('answers 400 for another handle, and 409 while a run has not ended', async () => {
    const busy = await aBusyPerson();
    expect(outcome(await close({ ...busy, handle: 'ada' }))).toEqual([400, 'invalid_request']);
    expect(outcome(await close(busy))).toEqual([409, 'conflict']);
    expect((await busy.person.get('/v1/me')).status).toBe(200);
  });

  it('answers 409 to the last owner of a community, and changes nothing', async () => {
    const busy = await aBusyPerson();
    await busy.person.post(`/v1/runs/${busy.runId}/cancel`);
    await aCommunityOf(busy.person);
    const refused = await close(busy);
    expect(outcome(refused)).toEqual([409, 'conflict']);
    expect(refused.body.error?.message).toContain('last owner');
    expect((await busy.person.get(`/v1/lenses/${busy.lensId}`)).status).toBe(200);
    expect((await busy.person.get('/v1/webhook-endpoints')).body.data).toHaveLength(1);
  });

  it('answers 200, ends every credential, and leaves no text that only the person saw', async () => {
    const busy = await aBusyPerson();
    const { person, lensId, publicLensId, runId, threadId, handle } = busy;
    const { ctx } = gateway;
    const other = await aCaller(gateway);
    const { value } = await aToken(ctx, { accountId: person.accountId, held: ['lenses:read'] });
    await person.post(`/v1/runs/${runId}/cancel`);
    expect(outcome(await close(busy))).toEqual([200, undefined]);

    for (const secret of [person.token, value]) {
      expect((await gateway.call('GET', '/v1/me', { token: secret })).status).toBe(401);
    }
    expect((await other.get(`/v1/lenses/${lensId}`)).status).toBe(404);
    const seen = await other.get(`/v1/lenses/${publicLensId}`);
    expect(seen.body.data?.['author']).toMatchObject({ displayName: 'Closed account' });
    expect(JSON.stringify(seen.body)).not.toContain(handle);
    const messages = await other.get(`/v1/threads/${threadId}/messages`);
    expect(JSON.stringify(messages.body.data)).toContain('A message of mine');

    while ((await eraseClosedAccounts(ctx, { page: 1 })) > 0);
    const left = await ctx.db.query<{ n: number }[]>(
      `select count(*)::int as n from runs where account_id = $1
       union all select count(*)::int from run_events where run_id = $2
       union all select count(*)::int from lens_versions v join lenses l on l.id = v.lens_id
                  where l.account_id = $1 and l.visibility = 'private' and v.template_body <> ''
       union all select count(*)::int from lens_cases c join lenses l on l.id = c.lens_id where l.account_id = $1
       union all select count(*)::int from workflow_versions v join workflows w on w.id = v.workflow_id
                  where w.account_id = $1 and v.graph -> 'nodes' <> '[]'
       union all select count(*)::int from thread_messages m join threads t on t.id = m.thread_id
                  where t.account_id = $1 and t.visibility = 'private' and m.text <> ''
       union all select count(*)::int from webhook_endpoints where account_id = $1 and removed_at is null
       union all select count(*)::int from users where account_id = $1 and (email is not null or password_hash is not null)
       union all select count(*)::int from accounts where id = $1 and erased_at is null`,
      [person.accountId, runId],
    );
    expect(left.map(({ n }) => n)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
    const kept = await ctx.db.query<{ action: string }[]>(
      'select action from audit_entries where account_id = $1 order by sequence desc limit 1',
      [person.accountId],
    );
    expect(kept).toEqual([{ action: 'account.closed' }]);
  });

  it('leaves no marked value of the account in any column of any table', async () => {
    const mark = `mark${newId().slice(-12)}`;
    const person = await aMarkedPerson(mark);
    const before = await columnsWith(mark);
    expect(before).toEqual(expect.arrayContaining(markedColumns));
    const otherMark = `other${newId().slice(-12)}`;
    await aMarkedPerson(otherMark);
    const othersBefore = await columnsWith(otherMark);
    expect(outcome(await person.post('/v1/me/close', { handle: `${mark}-h` }))).toEqual([200, undefined]);
    while ((await eraseClosedAccounts(gateway.ctx, { page: 100 })) > 0);
    const [{ erased }] = await gateway.ctx.db.query<[{ erased: boolean }]>(
      'select erased_at is not null as erased from accounts where id = $1',
      [person.accountId],
    );
    expect(erased).toBe(true);
    expect(await columnsWith(mark)).toEqual([]);
    expect(await columnsWith(otherMark)).toEqual(othersBefore);
    expect((await verifyAudit(gateway.ctx.db, person.accountId)).broken).toBe(0);
  });

  it('frees the handle', async () => {
    const busy = await aBusyPerson();
    await busy.person.post(`/v1/runs/${busy.runId}/cancel`);
    await close(busy);
    const again = await aBusyPerson();
    await gateway.ctx.db.query('update accounts set handle = $2 where id = $1', [again.person.accountId, busy.handle]);
  });
});
