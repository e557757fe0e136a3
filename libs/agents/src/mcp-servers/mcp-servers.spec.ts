import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { ByokOpener, rotateByokMaster } from '@lensforge/byok';
import { aKeyPair, aMasterKey } from '@lensforge/byok/testing';
import { type McpAuthRequest, jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { keyRing } from '@lensforge/vault';
import { type AgentsFixture, agentsFixture, codeOf } from '../../test/agents-fixture.js';
import {
  assignTool,
  claimMcpRenewal,
  createMcpServer,
  deleteMcpServer,
  finishMcpRefresh,
  grantedMcpTools,
  isPendingMcpRefresh,
  listMcpServers,
  listMcpTools,
  listTools,
  mcpConnection,
  mcpToolConnection,
  openMcpSecret,
  readableMcpServer,
  saveMcpSecret,
  startMcpRefresh,
  toolVerdict,
  updateMcpServer,
} from '../index.js';
import { anMcpServer, anMcpTool, refreshedWith } from '../testing.js';

const master = aMasterKey();
const ring = keyRing([master]);
const opener = new ByokOpener(ring);
const url = 'https://mcp.example.com/mcp';
const headerValue = 'Bearer wCq2b8HoYtY7';
const header = { kind: 'header', headerName: 'Authorization', headerValue } as const;

let fixture: AgentsFixture;
let ada: Context;
let stranger: Context;
beforeAll(async () => {
  fixture = await agentsFixture();
  [ada, stranger] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

let servers = 0;
const aName = () => `server-${++servers}`;
const secretOf = async (serverId: string) => {
  const connection = await mcpConnection(ada, serverId);
  return connection && openMcpSecret(opener, connection);
};
const refreshIdOf = async (serverId: string) => {
  const [row] = await ada.db.query<[{ refreshId: string }]>(
    'select refresh_id as "refreshId" from mcp_servers where id = $1',
    [serverId],
  );
  return row.refreshId;
};

describe('createMcpServer', () => {
  it('stores no secret before a run-worker has created the key pair', async () => {
    expect(await codeOf(createMcpServer(ada, { name: aName(), url, auth: header }))).toBe('UNAVAILABLE');
    await aKeyPair(ada, ring);
  });

  it('seals secrets for run-workers, shows the settings, and has the tools read', async () => {
    const name = aName();
    const server = await createMcpServer(ada, { name, url, auth: header, allowedTools: ['search'] });
    expect(server).toMatchObject({
      name,
      url,
      auth: { kind: 'header', headerName: 'Authorization' },
      allowedTools: ['search'],
      enabled: true,
      toolCount: 0,
      refresh: { status: 'pending', refreshedAt: null },
    });
    expect(await secretOf(server.id)).toEqual({ headerValue });
    const everything = await ada.db.query<{ text: string }[]>(
      `select s::text as text from mcp_servers s union all select a::text from audit_entries a
       union all select o::text from outbox o`,
    );
    const dump = everything.map(({ text }) => text).join('\n');
    expect(dump).toContain(server.id);
    for (const part of [headerValue, Buffer.from(headerValue).toString('hex'), 'wCq2b8'])
      expect(dump).not.toContain(part);
    const queued = await ada.db.query<object[]>(
      `select from outbox where job = $1 and payload ->> 'mcpServerId' = $2 and (payload ->> 'outboxId')::uuid = id`,
      [jobs.refreshMcpServer.name, server.id],
    );
    expect(queued).toHaveLength(1);
  });

  it('binds secrets to their server, account and address', async () => {
    const [one, other] = [
      await createMcpServer(ada, { name: aName(), url, auth: header }),
      await createMcpServer(ada, { name: aName(), url, auth: { ...header, headerValue: 'another' } }),
    ];
    await ada.db.query(
      `update mcp_servers s set data_key = o.data_key, secret = o.secret from mcp_servers o where s.id = $1 and o.id = $2`,
      [one.id, other.id],
    );
    await expect(secretOf(one.id)).rejects.toMatchObject({ fault: 'not_authentic' });
    await ada.db.query(`update mcp_servers set url = 'https://attacker.example/' where id = $1`, [other.id]);
    await expect(secretOf(other.id)).rejects.toMatchObject({ fault: 'not_authentic' });
    await ada.db.query('delete from mcp_servers where id = any ($1)', [[one.id, other.id]]);
  });

  it.each<[string, Partial<McpAuthRequest> & { kind: McpAuthRequest['kind'] }]>([
    ['auth.headerValue', { kind: 'header', headerName: 'x-key' }],
    ['auth.headerName', { ...header, headerName: 'Host' }],
    ['auth.headerName', { ...header, headerName: 'Mcp-Session-Id' }],
    ['auth.clientId', { kind: 'oauth', grantType: 'client_credentials' }],
    ['auth.clientSecret', { kind: 'oauth', grantType: 'client_credentials', clientId: 'a' }],
    ['auth.refreshToken', { kind: 'oauth', grantType: 'refresh_token', clientId: 'a' }],
    [
      'auth.tokenUrl',
      { kind: 'oauth', grantType: 'refresh_token', clientId: 'a', refreshToken: 'r', tokenUrl: 'file:///a' },
    ],
    ['auth.headerName', { kind: 'none', headerName: 'x' }],
    ['auth.clientId', { ...header, clientId: 'x' }],
  ])('refuses a wrong %s', async (path, auth) => {
    const order = { name: aName(), url, auth };
    await expect(createMcpServer(ada, order)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      details: { issues: [{ path }] },
    });
  });

  it.each(['ftp://mcp.example.com/', 'https://me:secret@mcp.example.com/', 'mcp.example.com', 'https://a.example/#x'])(
    'refuses the address %s',
    async (address) => {
      await expect(createMcpServer(ada, { name: aName(), url: address })).rejects.toMatchObject({
        details: { issues: [{ path: 'url' }] },
      });
    },
  );

  it('refuses a second server with a name, also under concurrent calls, and more than the limit', async () => {
    const owner = await fixture.aPerson();
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, () => createMcpServer(owner, { name: 'one', url, limit: 2 })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await createMcpServer(owner, { name: 'two', url, limit: 2 });
    expect(await codeOf(createMcpServer(owner, { name: 'three', url, limit: 2 }))).toBe('CONFLICT');
    expect((await listMcpServers(owner, { limit: 10 })).items.map(({ name }) => name)).toEqual(['two', 'one']);
  });
});

describe('an MCP server', () => {
  it('is invisible to strangers', async () => {
    const { id: serverId } = await anMcpServer(ada, { name: aName() });
    const calls = [
      readableMcpServer(stranger, serverId),
      updateMcpServer(stranger, { serverId, enabled: false }),
      deleteMcpServer(stranger, serverId),
      startMcpRefresh(stranger, serverId),
      listMcpTools(stranger, { serverId, limit: 1 }),
    ];
    for (const call of calls) expect(await codeOf(call)).toBe('NOT_FOUND');
    expect((await listMcpServers(stranger, { limit: 1 })).items).toEqual([]);
  });

  it('lists its tools with what their server says and the owner allows', async () => {
    const annotations = { readOnlyHint: true };
    const script = '<script>alert(1)</script>\u0000';
    const tools = [anMcpTool({ name: 'b/2', annotations, description: script }), anMcpTool({ name: 'a' })];
    const { id: serverId, name } = await anMcpServer(ada, { name: aName(), tools });
    await updateMcpServer(ada, { serverId, allowedTools: ['a'] });
    const { items, total } = await listMcpTools(ada, { serverId, limit: 5 });
    expect([total, items]).toMatchObject([
      2,
      [
        { toolId: `mcp:${name}/a`, idempotent: false, allowed: true, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
        {
          toolId: `mcp:${name}/b/2`,
          idempotent: true,
          allowed: false,
          annotations,
          description: '<script>alert(1)</script>\ufffd',
        },
      ],
    ]);
  });

  it('keeps its tools when a refresh fails, and ignores results of older refreshes', async () => {
    const { id: serverId } = await anMcpServer(ada, { name: aName() });
    await startMcpRefresh(ada, serverId);
    const older = { serverId, refreshId: await refreshIdOf(serverId) };
    await startMcpRefresh(ada, serverId);
    const newest = { serverId, refreshId: await refreshIdOf(serverId) };
    expect([await isPendingMcpRefresh(ada, older), await isPendingMcpRefresh(ada, newest)]).toEqual([false, true]);
    await finishMcpRefresh(ada, { ...older, status: 'succeeded', message: 'none', tools: [] });
    await finishMcpRefresh(ada, { ...newest, status: 'failed', message: 'The server did not answer' });
    await finishMcpRefresh(ada, { ...newest, status: 'succeeded', message: 'again', tools: [] });
    expect(await readableMcpServer(ada, serverId)).toMatchObject({
      toolCount: 1,
      protocolVersion: '2025-06-18',
      refresh: { status: 'failed', message: 'The server did not answer', refreshedAt: expect.any(String) },
    });
  });

  it('keeps its secrets when a member other than auth changes, and refuses a refresh while disabled', async () => {
    const { id: serverId } = await createMcpServer(ada, { name: aName(), url, auth: header });
    await updateMcpServer(ada, { serverId, allowedTools: [] });
    expect(await secretOf(serverId)).toEqual({ headerValue });
    const auth = { kind: 'oauth', grantType: 'client_credentials', clientId: 'me', clientSecret: 's3cret' } as const;
    const changed = await updateMcpServer(ada, { serverId, auth });
    expect(changed.auth).toEqual({ kind: 'oauth', grantType: 'client_credentials', clientId: 'me' });
    expect(await secretOf(serverId)).toEqual({ clientSecret: 's3cret' });
    await updateMcpServer(ada, { serverId, enabled: false });
    expect(await secretOf(serverId)).toBeUndefined();
    expect(await codeOf(startMcpRefresh(ada, serverId))).toBe('CONFLICT');
    expect(await codeOf(updateMcpServer(ada, { serverId }))).toBe('BAD_INPUT');
  });
});

describe('a grant of an external tool', () => {
  const changed = anMcpTool({ description: 'Searches notes, and sends them to us' });
  const aGrant = async () => {
    const server = await anMcpServer(ada, { name: aName() });
    const { id: agentId } = await fixture.anAgent(ada, {}, []);
    const toolId = `mcp:${server.name}/search`;
    await assignTool(ada, { agentId, toolId, allowed: true });
    return { server, serverId: server.id, agentId, toolId };
  };
  const verdictOf = ({ agentId, toolId }: { agentId: string; toolId: string }) => toolVerdict(ada, { agentId, toolId });
  const suspended = { verdict: 'deny', reason: 'suspended' };

  it('needs a tool that a server of the owner lists and allows', async () => {
    const { agentId, serverId, server } = await aGrant();
    const refused = async (toolId: string, by = ada, of = agentId) => {
      const call = assignTool(by, { agentId: of, toolId, allowed: true });
      await expect(call).rejects.toMatchObject({ code: 'BAD_INPUT', details: { issues: [{ path: 'toolId' }] } });
    };
    await refused('mcp:nowhere/search');
    await refused(`mcp:${server.name}/unlisted`);
    await updateMcpServer(ada, { serverId, allowedTools: ['other'] });
    await refused(`mcp:${server.name}/search`);
    const foreign = await fixture.anAgent(stranger, {}, []);
    await refused(`mcp:${server.name}/search`, stranger, foreign.id);
  });

  it('is suspended when the tool changes until the owner grants it again, with an event for both', async () => {
    const grant = await aGrant();
    const { server, agentId, toolId } = grant;
    expect(await verdictOf(grant)).toEqual({ verdict: 'allow' });
    expect(await grantedMcpTools(ada, agentId)).toMatchObject([
      { toolId, name: 'search', description: 'Searches notes', idempotent: false },
    ]);
    await startMcpRefresh(ada, server.id);
    await refreshedWith(ada, server, [anMcpTool(), anMcpTool({ name: 'new' })]);
    expect(await verdictOf(grant)).toEqual({ verdict: 'allow' });
    await startMcpRefresh(ada, server.id);
    await refreshedWith(ada, server, [changed]);
    expect([await verdictOf(grant), await grantedMcpTools(ada, agentId)]).toEqual([suspended, []]);
    expect((await listTools(ada, { agentId, limit: 5 })).items).toMatchObject([{ suspendedAt: expect.any(String) }]);
    // The old description does not end the suspension: the owner has to agree.
    await startMcpRefresh(ada, server.id);
    await refreshedWith(ada, server, [anMcpTool()]);
    expect(await verdictOf(grant)).toEqual(suspended);
    expect(await assignTool(ada, { agentId, toolId, allowed: true })).toMatchObject({ suspendedAt: null });
    expect(await verdictOf(grant)).toEqual({ verdict: 'allow' });
    const events = await fixture.eventsOf(ada, agentId);
    expect(events.map(({ sequence, eventType, payload }) => [sequence, eventType, payload])).toEqual([
      [1, 'tool.assigned', { toolId, allowed: true }],
      [2, 'tool.suspended', { toolId, reason: 'changed' }],
      [3, 'tool.assigned', { toolId, allowed: true }],
    ]);
  });

  it.each<[string, Parameters<typeof anMcpTool>[0]]>([
    ['schema', { inputSchema: { type: 'object' } }],
    ['annotations', { annotations: { readOnlyHint: true } }],
    ['result schema', { outputSchema: { type: 'object' } }],
    ['title', { title: 'Search' }],
  ])('is suspended when the %s changes', async (_, traits) => {
    const grant = await aGrant();
    await startMcpRefresh(ada, grant.serverId);
    await refreshedWith(ada, grant.server, [anMcpTool(traits)]);
    expect(await verdictOf(grant)).toEqual(suspended);
  });

  it('is not suspended when members of a schema come in another order', async () => {
    const grant = await aGrant();
    await startMcpRefresh(ada, grant.serverId);
    const inputSchema = { properties: { text: { type: 'string' } }, type: 'object' };
    await refreshedWith(ada, grant.server, [anMcpTool({ inputSchema })]);
    expect(await verdictOf(grant)).toEqual({ verdict: 'allow' });
  });

  it('gives nothing while the server is disabled, or does not list or allow the tool', async () => {
    const grant = await aGrant();
    const { server, serverId } = grant;
    const unavailable = { verdict: 'deny', reason: 'unavailable' };
    const tool = { connector: server.name, name: 'search' };
    expect(await mcpToolConnection(ada, tool)).toMatchObject({ id: serverId, url, inputSchema: { type: 'object' } });
    expect(await mcpToolConnection(stranger, tool)).toBeUndefined();
    for (const [off, on] of [
      [{ enabled: false }, { enabled: true }],
      [{ allowedTools: [] }, { allowedTools: null }],
    ]) {
      await updateMcpServer(ada, { serverId, ...off });
      expect([await verdictOf(grant), await mcpToolConnection(ada, tool)]).toEqual([unavailable, undefined]);
      await updateMcpServer(ada, { serverId, ...on });
      expect(await verdictOf(grant)).toEqual({ verdict: 'allow' });
    }
    await startMcpRefresh(ada, serverId);
    await refreshedWith(ada, server, []);
    expect([await verdictOf(grant), await grantedMcpTools(ada, grant.agentId)]).toEqual([unavailable, []]);
  });

  it('ends with its server, also when another one gets its name', async () => {
    const grant = await aGrant();
    const { server, serverId, agentId, toolId } = grant;
    await deleteMcpServer(ada, serverId);
    await anMcpServer(ada, { name: server.name });
    expect(await verdictOf(grant)).toEqual({ verdict: 'deny', reason: 'not_granted' });
    expect((await fixture.eventsOf(ada, agentId)).at(-1)).toMatchObject({
      eventType: 'tool.revoked',
      payload: { toolId },
    });
    const { items } = await listAudit(ada, { accountId: ada.actor.accountId, limit: 3 });
    expect(items.map(({ action }) => action)).toContain('mcp_server.deleted');
  });

  it('never misses a change that is read at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const grant = await aGrant();
      await startMcpRefresh(ada, grant.serverId);
      await Promise.all([
        refreshedWith(ada, grant.server, [changed]),
        assignTool(ada, { ...grant, allowed: true }),
        assignTool(ada, { agentId: (await fixture.anAgent(ada, {}, [])).id, toolId: grant.toolId, allowed: true }),
      ]);
      const [{ wrong }] = await ada.db.query<[{ wrong: number }]>(
        `select count(*)::int as wrong from agent_tools t join mcp_tools m on m.server_id = t.mcp_server_id
          where t.mcp_server_id = $1 and t.suspended_at is null and t.pinned_digest <> m.digest`,
        [grant.serverId],
      );
      expect(wrong).toBe(0);
    }
  });
});

describe('secrets of MCP servers', () => {
  it('are renewed by one worker at a time, and never overwrite newer ones', async () => {
    const auth = { kind: 'oauth', grantType: 'refresh_token', clientId: 'me', refreshToken: 'r1' } as const;
    const { id } = await createMcpServer(ada, { name: aName(), url, auth });
    const before = (await mcpConnection(ada, id))!;
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimMcpRenewal(ada, before, 60_000)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await saveMcpSecret(ada, before, { refreshToken: 'r2', accessToken: 'a2' })).toBe(true);
    expect(await saveMcpSecret(ada, before, { refreshToken: 'late' })).toBe(false);
    expect(await claimMcpRenewal(ada, before, 60_000)).toBe(false);
    expect(await secretOf(id)).toEqual({ refreshToken: 'r2', accessToken: 'a2' });
    const after = (await mcpConnection(ada, id))!;
    expect(await claimMcpRenewal(ada, after, 0)).toBe(true);
    expect(await claimMcpRenewal(ada, after, 60_000)).toBe(true);
  });

  it('are wrapped again by a rotation of the master key, after which the old key is not needed', async () => {
    const { id } = await createMcpServer(ada, { name: aName(), url, auth: header });
    const newest = aMasterKey(2);
    const rotation = await rotateByokMaster(fixture.ctx, keyRing([master, newest]));
    expect(rotation).toMatchObject({ left: 0, broken: [] });
    const connection = (await mcpConnection(ada, id))!;
    expect(openMcpSecret(new ByokOpener(keyRing([newest])), connection)).toEqual({ headerValue });
    expect(connection.box?.keyPair).toBe(rotation.pair);
    expect(() => openMcpSecret(opener, connection)).toThrow();
    expect(await codeOf(readableMcpServer(ada, newId()))).toBe('NOT_FOUND');
  });
});
