import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acceptsMcpIssuer, beginMcpAuthorization, createMcpServer } from '@lensforge/agents';
import { aKeyPair } from '@lensforge/byok/testing';
import { type Endpoint, endpoints, openApi } from '@lensforge/contracts';
import { aLens } from '@lensforge/lenses/testing';
import { actingAs } from '@lensforge/identity/testing';
import { until } from '@lensforge/testing';
import { type TestCaller, aCaller, aCommunityOf } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';
import { aProposal } from './a-proposal.js';

let gateway: SignedInGateway;
let ada: TestCaller;
let ids: Record<string, string>;

beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  ada = await aCaller(gateway);
  // As a run-worker does, so that secrets can be sealed.
  await aKeyPair(gateway.ctx);
  const ctx = actingAs(gateway.ctx, ada.accountId);
  const idOf = async (path: string, body: object): Promise<string> => {
    const made = await gateway.call('POST', path, { token: ada.token, body });
    expect(made.status).toBe(201);
    return String(made.body.data?.['id']);
  };
  const { id: lensId } = await aLens(ctx, { templateBody: 'Write a note about [[Topic]].' });
  ids = {
    lensId,
    proposalId: await aProposal(ctx, lensId),
    label: 'production',
    workflowId: await idOf('/v1/workflows', endpoints.createWorkflow.example ?? {}),
    threadId: await idOf('/v1/threads', { title: 'Notes' }),
    datasetId: await idOf('/v1/datasets', { name: 'Notes' }),
    scorerId: await idOf('/v1/scorers', { name: 'notes', rule: { kind: 'check' } }),
    communityId: await aCommunityOf(ada),
    mcpServerId: (await createMcpServer(ctx, { name: 'notes', url: 'https://mcp.example.com/mcp' })).id,
  };
});
afterAll(() => gateway.stop());

const description = (headers = {}) =>
  fetch(`${gateway.url}/v1/openapi.json`, { headers: { authorization: `Bearer ${ada.token}`, ...headers } });

describe('GET /v1/openapi.json', () => {
  it('answers 200 with the document of the table, also to an anonymous token', async () => {
    const answer = await description();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApi())));
    const anonymous = await description({ authorization: `Bearer ${gateway.anonymousToken()}` });
    expect(anonymous.status).toBe(200);
  });

  it('answers 304 while the document is the same', async () => {
    const etag = (await description()).headers.get('etag') ?? '';
    const again = await description({ 'if-none-match': `"another", W/${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await description({ 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('answers 400 to a query and 401 without a credential', async () => {
    const call = (path: string, token: string) => gateway.call('GET', path, { token });
    expect((await call('/v1/openapi.json?version=1', ada.token)).status).toBe(400);
    expect((await call('/v1/openapi.json', '')).status).toBe(401);
  });
});

const examples = Object.values<Endpoint>(endpoints).filter(({ example }) => example);

/** Begins an authorization that waits to be finished with the state of the example. */
async function anMcpAuthorization(): Promise<void> {
  const { state } = endpoints.finishMcpAuthorization.example as { state: string };
  const ctx = actingAs(gateway.ctx, ada.accountId);
  await beginMcpAuthorization(ctx, { serverId: ids['mcpServerId'] ?? '', redirectUri: 'https://app.example/callback' });
  await ctx.db.query(`update mcp_authorizations set status = 'waiting', state = $1, issuer = 'https://auth.example'`, [
    state,
  ]);
}

/** Does the work of a worker for an authorization, for which its request waits. */
const endMcpAuthorization = () =>
  until(
    async () => {
      const [, ended] = await gateway.ctx.db.query<[unknown, number]>(
        `update mcp_authorizations set status = 'failed' where status in ('preparing', 'exchanging')`,
      );
      return ended > 0;
    },
    { what: 'an authorization' },
  );

/** Names two authorization servers for the server, of which the example confirms the second. */
async function changesTheIssuer(): Promise<void> {
  const { issuer, tokenUrl } = endpoints.confirmMcpIssuer.example as { issuer: string; tokenUrl: string };
  for (const name of ['https://former.example', issuer])
    await acceptsMcpIssuer(gateway.ctx, ids['mcpServerId'] ?? '', { issuer: name, tokenUrl, isInBody: false });
}

/** Another person with the handle of the example, since their account is closed. */
async function closesTheirAccount(): Promise<string> {
  const { accountId, token } = await aCaller(gateway);
  const { handle } = endpoints.closeMe.example as { handle: string };
  await gateway.ctx.db.query('update accounts set handle = $2 where id = $1', [accountId, handle]);
  return token;
}

/** Starts a run of the workflow under the id that the example names. */
async function startsTheRun(): Promise<void> {
  const { runId } = endpoints.evaluateExpression.example as { runId: string };
  const path = `/v1/workflows/${ids['workflowId'] ?? ''}/run`;
  const { body } = await gateway.call('POST', path, { token: ada.token, body: { inputs: {} } });
  await gateway.ctx.db.query('update runs set id = $1 where id = $2', [runId, body.data?.['runId']]);
}

/** Starts a run of the lens. */
async function runsTheLens(): Promise<void> {
  const path = `/v1/lenses/${ids['lensId'] ?? ''}/execute`;
  const { body } = await gateway.call('POST', path, { token: ada.token, body: { params: { Topic: 'tea' } } });
  ids['runId'] = String(body.data?.['runId']);
}

/** Moves a label of the lens or workflow to its second version. */
async function movesTheLabel(kind: 'lenses' | 'workflows'): Promise<void> {
  const path = `/v1/${kind}/${ids[kind === 'lenses' ? 'lensId' : 'workflowId'] ?? ''}`;
  const send = async (method: string, part: string, body: object): Promise<void> => {
    const { status } = await gateway.call(method, `${path}${part}`, { token: ada.token, body });
    expect(status).toBe(200);
  };
  if (kind === 'lenses')
    await send('PATCH', '', { templateBody: 'Write another and much longer note about [[Topic]].' });
  else await send('PUT', '/graph', { nodes: [], edges: [] });
  for (const version of kind === 'lenses' ? ['1.0.0', '1.0.1'] : ['1', '2']) {
    await send('PUT', '/labels/production', { version });
  }
}

describe('the example of', () => {
  it.each(examples.map((row) => [row.id, row] as const))('%s is accepted', async (id, row) => {
    if (id === 'finishMcpAuthorization') await anMcpAuthorization();
    if (id === 'confirmMcpIssuer') await changesTheIssuer();
    if (id === 'evaluateExpression') await startsTheRun();
    if (id === 'setRunScore') await runsTheLens();
    if (id === 'returnLensLabel') await movesTheLabel('lenses');
    if (id === 'returnWorkflowLabel') await movesTheLabel('workflows');
    const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `no ${name} in this test`);
    const token = id === 'closeMe' ? await closesTheirAccount() : ada.token;
    const answer = gateway.call(row.method, path, { token, body: row.example });
    if (id === 'authorizeMcpServer' || id === 'finishMcpAuthorization') await endMcpAuthorization();
    const { status, body } = await answer;
    expect([body.error ?? null, status]).toEqual([null, row.status]);
  });
});
