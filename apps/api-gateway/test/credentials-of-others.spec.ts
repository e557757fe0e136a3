import { startTeamRun } from '@lensforge/agents';
import { aPublishedBattle, refitNow } from '@lensforge/battles/testing';
import { aKeyPair } from '@lensforge/byok/testing';
import type { Endpoint } from '@lensforge/contracts';
import { newId, platformActor } from '@lensforge/core';
import { aToken, actingAs } from '@lensforge/identity/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProposal } from './a-proposal.js';
import { statusForForeignObject, withIds } from './foreign-objects.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

/** An experiment with one arm: the newest version of a lens. */
const anExperiment = (lensId: string, datasetId: string): object => ({
  target: { lensId },
  dataset: { id: datasetId },
  arms: [{ name: 'newest' }],
  scorers: [{ name: 'any', kind: 'check' }],
});

const bodies: Record<string, object> = {
  reportRun: { status: 'succeeded' },
  setRunScore: { name: 'mine', score: 1 },
  giveFeedback: { key: 'x', score: 1 },
  giveReview: { thumb: 'up' },
  addCasesFromReviews: { datasetId: newId() },
  backfillEvaluationRule: { from: '2026-01-01T00:00:00Z' },
  answerRunApproval: { decision: 'approve' },
  importDatasetCases: { format: 'json', content: '[]' },
  addCasesFromRuns: { runIds: [newId()] },
  answerToolCalls: { results: [{ callId: newId(), output: 1 }] },
  updateScorer: { rule: { kind: 'check' } },
  testScorer: { samples: [{ output: 'x' }] },
  setRole: { role: 'member' },
  limitToken: { creditLimit: 5 },
  setLensLabel: { version: '1.0.0' },
  decideLabelProposal: { decision: 'decline' },
  setWorkflowLabel: { version: '1' },
  saveLensCase: { name: 'mine', params: {} },
  saveLensDraft: { templateBody: 'mine', settings: null, baseVersionId: newId() },
  executeLens: { params: { Name: 'Ada' } },
  replayWebhookEvents: { from: '2026-01-01T00:00:00Z' },
  executeLensBatch: { items: [{ params: { Name: 'Ada' } }] },
  runWorkflow: { inputs: {} },
  saveWorkflowCandidate: { graph: { nodes: [] } },
  saveWorkflowGraph: { graph: { nodes: [] } },
  evaluateExpression: { expression: '1', runId: newId() },
  createSchedule: { cron: '0 0 * * *' },
  setSponsorship: { credits: 10 },
  rotateByokKey: { secret: 'sk-another-one' },
  reportLocalRun: { leaseToken: 1, after: 1 },
  addContender: { displayName: 'Mine', contenderType: 'human', contenderRefId: newId() },
  submitEntry: { contenderId: newId(), contentText: 'Waves.' },
  setBattleStatus: { status: 'open' },
  castVote: { tie: true },
  assignAgentTool: { toolId: 'run_lens' },
  runAgentAction: { actionType: 'run_lens', metadata: { lens_id: newId() } },
  decideAgentApproval: { approve: true },
  updateMcpServer: { enabled: false },
  authorizeMcpServer: { redirectUri: 'http://127.0.0.1:8400/callback' },
  finishMcpAuthorization: { state: 'a-state', code: 'a-code' },
  confirmMcpIssuer: { issuer: 'https://auth.example', tokenUrl: 'https://auth.example/token' },
  startTeamRun: { workflowId: newId(), policy: 'auto' },
  postMessage: { text: 'Hello' },
  editMessage: { text: 'Hello' },
  finishLocalRun: { leaseToken: 1, outcome: 'succeeded', text: 'Hello' },
};
const queries: Record<string, string> = {
  diffLensVersions: '?from=1.0.0',
  diffWorkflowVersions: '?from=1',
  exportLens: '',
};

// Partners are not owned by an account.

let gateway: SignedInGateway;
let ids: Record<string, string>;
let ownerToken: string;
const strangerTokens: Record<string, string> = {};

beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000' });
  const [owner, stranger] = [await gateway.aPerson(), await gateway.aPerson()];
  const token = gateway.sessionToken(owner);
  ownerToken = token;
  const make = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const { status, body: answer } = await gateway.call('POST', path, { token, body });
    if (status > 202) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.data ?? {};
  };
  const templateBody = 'Write a short and friendly greeting for [[Name]], if you please.';
  const lens = await make('/v1/lenses', { title: 'Mine', templateBody, visibility: 'private' });
  const community = await make('/v1/communities', { handle: `c-${newId()}`, displayName: 'Ours' });
  const communityId = String(community['id']);
  const run = await make(`/v1/lenses/${String(lens['id'])}/execute`, { params: { Name: 'Ada' } });
  const workflow = await make('/v1/workflows', { title: 'Mine' });
  const schedule = await make(`/v1/workflows/${String(workflow['id'])}/schedules`, { cron: '0 0 1 1 *' });
  const artifactId = newId();
  await gateway.ctx.db.query(
    `insert into run_artifacts (id, run_id, kind, content_json, is_primary_output, visibility)
     values ($1, $2, 'json', '{}', true, 'private')`,
    [artifactId, String(run['runId'])],
  );
  const operation = await make('/v1/run-operations', { action: 'cancel', filter: { batchId: newId() } });
  const connector = await make('/v1/connectors', { name: 'mine', scopes: 'lenses:read' });
  const ours = await make('/v1/tokens', { communityId, label: 'ours' });
  await gateway.call('PUT', `/v1/lenses/${String(lens['id'])}/sponsorship`, { token, body: { credits: 10 } });
  const saved = { token, body: { name: 'mine', params: {} } };
  const lensCase = await gateway.call('PUT', `/v1/lenses/${String(lens['id'])}/cases`, saved);
  await aKeyPair(gateway.ctx);
  const key = await make('/v1/byok-keys', { provider: 'openai', label: 'mine', secret: 'sk-mine-and-mine-only' });
  const mcpServer = await make('/v1/mcp-servers', { name: 'mine', url: 'https://mcp.example.com/mcp' });
  const hook = await make('/v1/webhook-endpoints', { url: 'https://receiver.example/', events: ['run.failed'] });
  const { deliveryId } = await make(`/v1/webhook-endpoints/${String(hook['id'])}/test`, {});
  const replay = await make(`/v1/webhook-endpoints/${String(hook['id'])}/replays`, { from: '2026-01-01T00:00:00Z' });
  const invite = await make(`/v1/communities/${communityId}/invites`, {});
  const webhook = await make('/v1/incoming-webhooks', { workflowId: String(workflow['id']), name: 'ours' });
  const aiLenser = await make('/v1/agents', { handle: `ai-${newId()}`, displayName: 'Mine' });
  const teamRun = await startTeamRun(
    { ...gateway.ctx, actor: platformActor },
    { agentId: String(aiLenser['id']), workflowId: String(workflow['id']), inputs: {}, policy: 'auto' },
  );
  const battle = await make('/v1/battles', { title: 'Mine', taskPrompt: 'Write.', battleType: 'human_vs_ai' });
  const self = { displayName: 'Me', contenderType: 'human', contenderRefId: owner.accountId };
  const contender = await make(`/v1/battles/${String(battle['id'])}/contenders`, self);
  const thread = await make('/v1/threads', { title: 'Mine' });
  const message = await make(`/v1/threads/${String(thread['id'])}/messages`, { text: 'Mine' });
  const asOwner = actingAs(gateway.ctx, owner.accountId);
  const datasetId = idIn(await make('/v1/datasets', { name: 'mine' }));
  await make(`/v1/datasets/${datasetId}/cases`, { save: [{ key: 'a', params: { Name: 'Ada' } }] });
  await aPublishedBattle(asOwner, ['Ada', 'Ben'], { battleType: 'ai_vs_ai', votes: [[['Ada'], ['Ben']]] });
  await refitNow(asOwner, 'ai_vs_ai');
  const scorerId = idIn(await make('/v1/scorers', { name: 'exact', rule: { kind: 'check' } }));
  const rule = { name: 'mine', lensId: lens['id'], scorers: [{ id: scorerId }] };
  const queue = await make('/v1/review-queues', { name: 'mine' });
  const itemId = newId();
  await gateway.ctx.db.query(`insert into review_items (run_id, queue_id, id, state) values ($1, $2, $3, 'open')`, [
    String(run['runId']),
    String(queue['id']),
    itemId,
  ]);
  ids = {
    sessionId: owner.sessionId,
    battleType: 'ai_vs_ai',
    battleId: String(battle['id']),
    contenderId: String(contender['id']),
    threadId: String(thread['id']),
    datasetId,
    recordingId: idIn(
      await make('/v1/recordings', { name: 'Replies', content: '{"recording":"lensforge","version":1}' }),
    ),
    proposalId: await aProposal(gateway.ctx, String(lens['id'])),
    scorerId,
    queueId: String(queue['id']),
    itemId,
    ruleId: String((await make('/v1/evaluation-rules', rule))['id']),
    experimentId: idIn(await make('/v1/experiments', anExperiment(String(lens['id']), datasetId))),
    messageId: String(message['id']),
    aiLenserId: String(aiLenser['id']),
    mcpServerId: idIn(mcpServer),
    teamRunId: teamRun.id,
    toolId: 'run_lens',
    webhookId: idIn(webhook),
    lensId: String(lens['id']),
    caseId: String(lensCase.body.data?.['id']),
    runId: String(run['runId']),
    artifactId,
    operationId: String(operation['id']),
    workflowId: String(workflow['id']),
    scheduleId: String(schedule['id']),
    communityId,
    connectorId: idIn(connector),
    tokenId: idIn(ours),
    keyId: idIn(key),
    inviteId: idIn(invite),
    endpointId: String(hook['id']),
    deliveryId: String(deliveryId),
    replayId: String(replay['id']),
    accountId: owner.accountId,
    version: '1.0.0',
    versionId: '1',
    approvalId: newId(),
    label: 'stable',
  };
  strangerTokens['session'] = gateway.sessionToken(stranger);
  strangerTokens['service'] = (await aToken(gateway.ctx, { kind: 'service', accountId: stranger.accountId })).value;
});
afterAll(() => gateway.stop());

const idIn = (made: Record<string, unknown>): string => /"id":"([0-9a-f-]{36})"/.exec(JSON.stringify(made))?.[1] ?? '';

const call = ({ id, method, path }: Endpoint, token: string, known = ids) =>
  gateway.call(method, path.replace(/\{(\w+)\}/g, (_all, name: string) => known[name] ?? name) + (queries[id] ?? ''), {
    token,
    ...(method !== 'GET' && method !== 'DELETE' && { body: bodies[id] ?? {} }),
  });

describe('foreign objects', () => {
  it.each(withIds.map((endpoint) => [endpoint.id, endpoint] as const))(
    'get the expected status from %s, and its 404 does not differ from that of an unknown id',
    async (id, row) => {
      const { status, body } = await call(row, strangerTokens['session'] ?? '');
      expect(status).toBe(statusForForeignObject(id));
      if (status !== 404) return;
      const { communityId, accountId, label = '', version = '', versionId = '', ...others } = ids;
      const none = Object.fromEntries(
        Object.keys({ ...others, communityId, accountId }).map((name) => [name, newId()]),
      );
      const missing = await call(row, strangerTokens['session'] ?? '', { ...none, label, version, versionId });
      const plain = (message = ''): string => message.replace(/[0-9a-f-]{36}/g, 'ID');
      expect(missing.status).toBe(404);
      expect({ ...missing.body.error, message: plain(missing.body.error?.message) }).toEqual({
        ...body.error,
        message: plain(body.error?.message),
      });
    },
  );

  it('can still be read by their owner afterwards, and not by a foreign service token', async () => {
    const reads = withIds.filter(({ method, replies }) => method === 'GET' && replies !== 'event-stream');
    for (const row of reads) {
      expect([row.id, (await call(row, ownerToken)).status]).toEqual([row.id, 200]);
      const { status } = await call(row, strangerTokens['service'] ?? '');
      const forMachines = row.audience === undefined || row.audience === 'accounts' || row.audience === 'public';
      expect([row.id, status]).toEqual([row.id, forMachines ? statusForForeignObject(row.id) : 403]);
    }
  });
});
