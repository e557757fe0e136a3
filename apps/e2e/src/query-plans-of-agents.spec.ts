import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assignTool,
  beginMcpAuthorization,
  cancelAgentRuns,
  completeMcpAuthorization,
  contextOfAgent,
  countAgentRun,
  decideAgentApproval,
  deleteMcpServer,
  expireMcpAuthorizations,
  failMcpAuthorization,
  findOwnAgent,
  finishMcpAuthorization,
  finishMcpRefresh,
  grantedMcpTools,
  grantedTools,
  listAgentApprovals,
  listPendingAgentApprovals,
  listAgentEvents,
  listMcpServers,
  listMcpTools,
  findTeamRun,
  listTeamRuns,
  listWaitingToolCalls,
  listTools,
  mcpAuthorizationWork,
  mcpConnection,
  mcpToolConnection,
  ownAgent,
  readAgentEvents,
  readAgentPositions,
  readTeamRun,
  readToolApproval,
  recordAgentRunEnd,
  revokeTool,
  runAgentAction,
  toolVerdict,
  acceptsMcpIssuer,
  confirmMcpIssuer,
} from '@lensforge/agents';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext, fillDatabase } from '@lensforge/testing';
import { indexesOf } from './query-plan-reader.js';

const [owner, agentId, approvalId, serverId] = [newId(), newId(), newId(), newId()];

/** 2,000 AI lensers with 10 tools, 10 actions, 20 runs and 50 events each. */
const fill = `
insert into accounts (id, kind, handle, display_name) values ('${owner}', 'person', 'owner', 'x');
insert into accounts (id, kind, handle, display_name, owner_account_id)
  select case i when 1 then '${agentId}'::uuid else uuidv7() end, 'agent', 'ai-' || i, 'x', '${owner}' from generate_series(1, 2000) i;
insert into ai_lensers (account_id, instructions, policy, updated_at, last_sequence)
  select id, '', '{"actions":{"cast_vote":"ask"},"creditsPerDay":null,"runsPerDay":null}', now(), 50 from accounts where kind = 'agent';
insert into agent_tools select account_id, 'tool_' || n, true, now(), now() from ai_lensers, generate_series(1, 10) n;
insert into agent_actions (id, agent_id, action, metadata, idempotency_key, verdict, approval, expires_at, created_at)
  select case when account_id = '${agentId}' and n = 1 then '${approvalId}'::uuid else uuidv7() end, account_id, 'cast_vote', '{}',
         'key ' || n, 'ask', 'pending', now() + interval '1 h', now()
    from ai_lensers, generate_series(1, 10) n;
insert into agent_days select account_id, current_date - n, 1, 1 from ai_lensers, generate_series(1, 20) n;
insert into agent_runs (run_id, agent_id, kind, policy, created_at, ended_at)
  select uuidv7(), account_id, 'team', 'auto', now(), case when n > 1 then now() end from ai_lensers, generate_series(1, 20) n;
insert into agent_events (agent_id, sequence, type, run_id, payload, occurred_at)
  select account_id, n, case n % 5 when 0 then 'run.ended' else 'action.decided' end, case n % 5 when 0 then uuidv7() end, '{}', now()
    from ai_lensers, generate_series(1, 50) n;
insert into byok_key_pairs (version, public_key, private_key) select n, sha256('x'), decode(repeat('00', 200), 'hex') from generate_series(1, 100) n;
insert into mcp_servers (id, account_id, name, url, auth, refresh_id, refresh_status, created_at, updated_at)
  values ('${serverId}', '${owner}', 'notes', 'https://mcp.example.com/', '{"kind":"none"}', '${approvalId}', 'pending', now(), now());
insert into mcp_servers (id, account_id, name, url, auth, created_at, updated_at)
  select uuidv7(), account_id, 's-' || n, 'https://mcp.example.com/', '{"kind":"none"}', now(), now() from ai_lensers, generate_series(1, 3) n;
insert into mcp_authorizations (id, server_id, account_id, status, redirect_uri, auth, state, issuer, key_pair, data_key, secret,
                                created_at, expires_at)
  select case id when '${serverId}' then '${approvalId}'::uuid else uuidv7() end, id, account_id, 'waiting', 'https://x.example', '{}', 'x',
         'https://x.example', 1 + mod(ascii(id::text), 100), '', '', now(), now() + interval '1 h' from mcp_servers;
insert into mcp_tools (server_id, name, definition, digest, changed_at)
  select id, 't' || n, '{"description":"x","inputSchema":{},"annotations":{}}', sha256('x'), now() from mcp_servers, generate_series(1, 10) n;
insert into agent_tools (agent_id, tool_id, allowed, assigned_at, updated_at, mcp_server_id, pinned_digest)
  select account_id, 'mcp:s-1/t1', true, now(), now(), (select id from mcp_servers s where s.account_id = l.account_id and name = 's-1'), sha256('x')
    from ai_lensers l where account_id <> '${agentId}';
insert into agent_tools (agent_id, tool_id, allowed, assigned_at, updated_at, mcp_server_id, pinned_digest)
  values ('${agentId}', 'mcp:notes/t1', true, now(), now(), '${serverId}', sha256('x'));
`;

let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  await fillDatabase(database.url, fill);
  ctx = aContext(database.source.manager, { accountId: owner });
});
afterAll(() => database.close());

const byKeys = /^(accounts|ai_lensers|audit_heads|runs(_\w+)?|node_waits(_\w+)?) by \w+(, \w+)*$/;
const ofTools = /^agent_tools by agent_tools_pkey$/;
const ofActions = /^agent_actions by agent_actions_(pkey|key|approvals)$/;
const ofRuns = /^agent_runs by agent_runs_(pkey|teams|open)$/;
const ofEvents = /^agent_events by agent_events_(pkey|run|type)$/;
const ofDays = /^agent_days by agent_days_pkey$/;
const ofCalls = /^agent_tool_calls(_\w+)? by agent_tool_calls_(pkey|waiting)$/;
const ofServers =
  /^(mcp_servers by mcp_servers_(pkey|name|account)|mcp_tools by mcp_tools_pkey|agent_tools by agent_tools_mcp_server|byok_key_pairs by byok_key_pairs_pkey)$/;
const ofAuthorizations =
  /^mcp_(authorizations by mcp_authorizations_(pkey|server_id_key|open)|authorization_codes by mcp_authorization_codes_pkey)$/;
const expected = [byKeys, ofServers, ofAuthorizations, ofTools, ofActions, ofRuns, ofEvents, ofDays, ofCalls];
const page = { agentId, limit: 10 };
const tool = { agentId, toolId: 'run_lens' };
const external = { agentId, toolId: 'mcp:notes/t1' };
const refresh = { serverId, refreshId: approvalId, status: 'succeeded', message: 'x', tools: [] } as const;
const redirectUri = 'https://x.example';
const authorized = {
  id: approvalId,
  serverId,
  accountId: owner,
  url: redirectUri,
  auth: { kind: 'none' },
} as const;
const vote = { agentId, action: 'cast_vote', metadata: { idempotency_key: 'key 1' } } as const;

const calls: [string, (ctx: Context) => Promise<unknown>][] = [
  ['reading grants', (ctx) => listTools(ctx, page)],
  ['granting a tool', (ctx) => assignTool(ctx, { ...tool, allowed: true })],
  ['revoking a tool', (ctx) => revokeTool(ctx, { agentId, toolId: 'tool_1' })],
  ['deciding about a tool', (ctx) => toolVerdict(ctx, tool)],
  ['reading what an AI lenser may do', (ctx) => contextOfAgent(ctx, agentId)],
  ['finding an AI lenser by its handle', (ctx) => findOwnAgent(ctx, owner, 'ai-7')],
  ['reading the tools to offer', async (ctx) => grantedTools(ctx, await ownAgent(ctx, agentId))],
  ['reading the approval of a tool call', (ctx) => readToolApproval(ctx, approvalId)],
  ['an action', (ctx) => runAgentAction(ctx, { ...vote, metadata: {} })],
  ['a repeated action', (ctx) => runAgentAction(ctx, vote).catch(() => undefined)],
  ['listing approvals', (ctx) => listAgentApprovals(ctx, { ...page, status: 'pending' })],
  ['listing what waits for approval', (ctx) => listPendingAgentApprovals(ctx, { limit: 20 })],
  ['deciding an approval', (ctx) => decideAgentApproval(ctx, { agentId, approvalId, approve: false })],
  ['counting a run', async (ctx) => countAgentRun(ctx, await ownAgent(ctx, agentId), 'team')],
  ['listing team runs', (ctx) => listTeamRuns(ctx, page)],
  ['reading a team run', (ctx) => readTeamRun(ctx, { agentId, runId: newId() }).catch(() => undefined)],
  ['finding the team run of a run', (ctx) => findTeamRun(ctx, newId())],
  ['listing the tool calls that wait', (ctx) => listWaitingToolCalls(ctx, [newId(), newId()])],
  ['recording the end of a run', (ctx) => recordAgentRunEnd(ctx, newId())],
  ['canceling runs', (ctx) => cancelAgentRuns(ctx, agentId)],
  ['listing events', (ctx) => listAgentEvents(ctx, page)],
  ['listing events of a run', (ctx) => listAgentEvents(ctx, { ...page, runId: newId() })],
  ['listing events of a type', (ctx) => listAgentEvents(ctx, { ...page, eventType: 'run.ended' })],
  ['reading events', (ctx) => readAgentEvents(ctx, agentId, 10, 10)],
  ['reading the ends of logs', (ctx) => readAgentPositions(ctx, [agentId])],
  ['deciding about a tool of an external server', (ctx) => toolVerdict(ctx, external)],
  ['granting a tool of an external server', (ctx) => assignTool(ctx, { ...external, allowed: true })],
  ['listing granted tools of external servers', (ctx) => grantedMcpTools(ctx, agentId)],
  ['listing external servers', (ctx) => listMcpServers(ctx, { limit: 10 })],
  ['listing tools of an external server', (ctx) => listMcpTools(ctx, { serverId, limit: 10 })],
  ['reading the connection to an external server', (ctx) => mcpConnection(ctx, serverId)],
  ['reading the connection to a tool', (ctx) => mcpToolConnection(ctx, { connector: 'notes', name: 't1' })],
  ['storing the tools of an external server', (ctx) => finishMcpRefresh(ctx, refresh)],
  [
    'noticing and confirming another authorization server',
    async (ctx) => {
      for (const issuer of ['https://a.example', 'https://b.example'])
        await acceptsMcpIssuer(ctx, serverId, { issuer, tokenUrl: `${issuer}/token`, isInBody: false });
      await confirmMcpIssuer(ctx, { serverId, issuer: 'https://b.example', tokenUrl: 'https://b.example/token' });
    },
  ],
  ['beginning an authorization', (ctx) => beginMcpAuthorization(ctx, { serverId, redirectUri })],
  ['reading the work of an authorization', (ctx) => mcpAuthorizationWork(ctx, approvalId)],
  ['finishing an authorization', (ctx) => finishMcpAuthorization(ctx, { serverId, state: 'x', code: 'x' })],
  ['failing an authorization', (ctx) => failMcpAuthorization(ctx, approvalId, 'x')],
  ['completing an authorization', (ctx) => completeMcpAuthorization(ctx, authorized, { accessToken: 'x' })],
  ['ending late authorizations', (ctx) => expireMcpAuthorizations(ctx, { limit: 1000 })],
  ['deleting an external server', (ctx) => deleteMcpServer(ctx, serverId)],
];

describe('a query of AI lensers uses an index:', () => {
  it.each(calls)('%s', async (_, call) => {
    const ways = await indexesOf(database.source, (traced) => call({ ...traced, actor: ctx.actor }));
    expect(ways.length).toBeGreaterThan(0);
    for (const way of ways) expect([way, expected.some((one) => one.test(way))]).toEqual([way, true]);
  });
});
