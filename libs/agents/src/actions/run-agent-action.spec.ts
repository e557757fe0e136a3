import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { readBattle } from '@lensforge/battles';
import { aBattle, aContender } from '@lensforge/battles/testing';
import type { AgentAction, AgentActionReply, AiLenserPolicy } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { updateAiLenser } from '@lensforge/identity';
import { aLens } from '@lensforge/lenses/testing';
import { aPricedModel } from '@lensforge/models/testing';
import { readRun } from '@lensforge/runs';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type AgentsFixture, agentsFixture, allTools, codeOf } from '../../test/agents-fixture.js';
import {
  archiveAgent,
  assignTool,
  decideAgentApproval,
  listAgentApprovals,
  listPendingAgentApprovals,
  revokeTool,
  runAgentAction,
} from '../index.js';

let fixture: AgentsFixture;
let ada: Context;
let stranger: Context;
beforeAll(async () => {
  fixture = await agentsFixture();
  [ada, stranger] = [await fixture.aPerson(10_000), await fixture.aPerson()];
});
afterAll(() => fixture.close());

const allowAll: AiLenserPolicy['actions'] = {
  run_lens: 'allow',
  run_workflow: 'allow',
  submit_entry: 'allow',
  cast_vote: 'allow',
  join_battle: 'allow',
  create_battle: 'allow',
};
const anAgent = async (policy: Partial<AiLenserPolicy> = {}, tools = allTools, more: object = {}): Promise<string> =>
  (await fixture.anAgent(ada, { policy: { actions: allowAll, ...policy }, ...more }, tools)).id;
const act = (agentId: string, action: AgentAction, metadata: object, by = ada): Promise<AgentActionReply> =>
  runAgentAction(by, { agentId, action, metadata: metadata as Record<string, unknown> });
const lensId = async (owner = ada): Promise<string> => (await aLens(owner, { visibility: 'private' })).id;
const params = { name: 'Ada' };
const runsOf = (
  agentId: string,
): Promise<{ id: string; own: boolean; cause: Record<string, unknown>; hold: number }[]> =>
  ada.db.query(
    `select id, account_id = $2 as own, cause, credit_hold::float8 as hold from runs where cause ->> 'agentId' = $1 order by id`,
    [agentId, ada.actor.accountId],
  );

describe('runAgentAction', () => {
  it('runs a private lens of the owner with the model of the AI lenser; the owner reads and pays the run', async () => {
    const { key } = await aPricedModel(ada);
    const agentId = await anAgent({}, allTools, { aiModelKey: key });
    const done = await act(agentId, 'run_lens', { lens_id: await lensId(), param_values: params });
    expect(done).toMatchObject({ result: 'success', action: 'run_lens', aiLenserId: agentId });
    const { runId } = done.output as { runId: string };
    expect(await readRun(ada, runId)).toMatchObject({ origin: 'agent', modelKey: key, kind: 'lens' });
    const [run] = await runsOf(agentId);
    expect(run).toMatchObject({ id: runId, own: true, cause: { kind: 'agent', agentId } });
    expect(run?.hold).toBeGreaterThan(0);
  });

  it('runs a lens that sets a model with that one', async () => {
    const { key } = await aPricedModel(ada);
    const agentId = await anAgent({}, allTools, { aiModelKey: key });
    const { id: lens_id } = await aLens(ada, { settings: { models: ['offline/echo'] } });
    const done = await act(agentId, 'run_lens', { lens_id, param_values: params });
    const { runId } = done.output as { runId: string };
    expect(await readRun(ada, runId)).toMatchObject({ modelKey: 'echo' });
  });

  it('runs a workflow', async () => {
    const agentId = await anAgent();
    const { id: workflow_id } = await aWorkflow(ada);
    const done = await act(agentId, 'run_workflow', { workflow_id, inputs: {} });
    expect(done).toMatchObject({ result: 'success', output: { workflowId: workflow_id, status: 'queued' } });
    expect(await runsOf(agentId)).toHaveLength(1);
  });

  it('creates a battle of the owner, joins another one, and submits an entry there', async () => {
    const agentId = await anAgent();
    const made = await act(agentId, 'create_battle', { title: 'Haiku', task_prompt: 'Write.', max_contenders: 3 });
    expect(made).toMatchObject({ result: 'success', output: { title: 'Haiku' } });
    const { battleId } = made.output as { battleId: string };
    expect(await readBattle(ada, battleId)).toMatchObject({ status: 'draft', maxContenders: 3 });

    const { id: battle_id } = await aBattle(stranger, { status: 'open' });
    const joined = await act(agentId, 'join_battle', { battle_id });
    expect(joined).toMatchObject({ result: 'success', output: { battleId: battle_id, slotLabel: 'A' } });
    const submitted = await act(agentId, 'submit_entry', { battle_id, content_text: 'Waves.' });
    expect(submitted).toMatchObject({ result: 'success', output: { replaced: false, battleStatus: 'open' } });
    const { contenderId } = joined.output as { contenderId: string };
    expect(await readBattle(ada, battle_id)).toMatchObject({
      contenders: [{ id: contenderId, contenderRefId: agentId, contenderType: 'ai_agent' }],
      submissions: [{ contenderId, contentText: 'Waves.' }],
    });
  });

  it('votes under the account of the AI lenser, by the ids of its ballot', async () => {
    const agentId = await anAgent();
    const battle = await aBattle(stranger, { battleType: 'human_vs_human_ai_votes', status: 'voting' });
    for (const text of ['One.', 'Two.']) await aContender(stranger, battle, { text });
    const { id: battle_id } = battle;
    const undecided = await act(agentId, 'cast_vote', { battle_id });
    expect(undecided).toMatchObject({ result: 'failed', reason: 'bad_input' });
    const ballot = undecided.output?.['ballot'] as { contenderId: string; contentText: string }[];
    expect(ballot.map(({ contentText }) => contentText).sort()).toEqual(['One.', 'Two.']);
    expect(await act(agentId, 'cast_vote', { battle_id, winner: ballot[0]?.contenderId })).toMatchObject({
      result: 'success',
    });
    const voters = await ada.db.query<object[]>('select account_id as id from battle_votes where battle_id = $1', [
      battle_id,
    ]);
    expect(voters).toEqual([{ id: agentId }]);
  });

  it('blocks what policy or grant refuse, and says why; it starts nothing', async () => {
    const lens_id = await lensId();
    const denied = await anAgent({ actions: {} });
    const ungranted = await anAgent({}, ['run_workflow']);
    const refused = await anAgent();
    await assignTool(ada, { agentId: refused, toolId: 'run_lens', allowed: false });
    const archived = await anAgent();
    await archiveAgent(ada, archived);
    for (const [agentId, reason] of [
      [denied, 'policy'],
      [ungranted, 'not_granted'],
      [refused, 'grant_refused'],
      [archived, 'archived'],
    ] as const) {
      expect(await act(agentId, 'run_lens', { lens_id, param_values: params })).toEqual({
        result: 'blocked_by_policy',
        reason,
        action: 'run_lens',
        aiLenserId: agentId,
      });
      expect(await runsOf(agentId)).toEqual([]);
    }
  });

  it('has no more rights than the owner and the caller, and fails with the reason otherwise', async () => {
    const agentId = await anAgent();
    const foreign = await act(agentId, 'run_lens', { lens_id: await lensId(stranger) });
    expect(foreign).toMatchObject({ result: 'failed', reason: 'not_found', output: { message: expect.any(String) } });
    expect(await act(agentId, 'run_lens', { lens_id: await lensId() })).toMatchObject({
      result: 'failed',
      reason: 'missing_params',
    });
    expect(await act(agentId, 'submit_entry', { battle_id: newId(), content_text: 'x' })).toMatchObject({
      result: 'failed',
      reason: 'not_found',
    });
    const { id: workflow_id } = await aWorkflow(ada);
    const limited = { ...ada, actor: { ...ada.actor, scopes: ['agents:write' as const] } };
    expect(await act(agentId, 'run_workflow', { workflow_id }, limited)).toMatchObject({
      result: 'failed',
      reason: 'insufficient_scope',
    });
    expect(await runsOf(agentId)).toEqual([]);
  });

  it('counts runs and credits of the day, also under concurrent calls, and is throttled beyond its caps', async () => {
    const agentId = await anAgent({ runsPerDay: 3 });
    const lens_id = await lensId();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => act(agentId, 'run_lens', { lens_id, param_values: params })),
    );
    const count = (result: string) => outcomes.filter((each) => each.result === result).length;
    expect([count('success'), count('throttled')]).toEqual([3, 5]);
    expect(outcomes.find(({ result }) => result === 'throttled')).toMatchObject({ reason: 'runs_per_day' });
    expect(await runsOf(agentId)).toHaveLength(3);

    const { key } = await aPricedModel(ada);
    const poor = await anAgent({ creditsPerDay: 250 }, allTools, { aiModelKey: key });
    const paid = await Promise.all(
      Array.from({ length: 5 }, () => act(poor, 'run_lens', { lens_id, param_values: params })),
    );
    const runs = await runsOf(poor);
    const held = runs.reduce((sum, { hold }) => sum + hold, 0);
    expect(runs.length).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(250);
    expect(held + (runs[0]?.hold ?? 0)).toBeGreaterThan(250);
    expect(paid.filter(({ result }) => result === 'success')).toHaveLength(runs.length);
    expect(paid.find(({ result }) => result !== 'success')).toMatchObject({
      result: 'throttled',
      reason: 'credits_per_day',
    });
  });

  it('has the result of the first request for a repeated key, also under concurrent calls', async () => {
    const agentId = await anAgent();
    const metadata = { lens_id: await lensId(), param_values: params, idempotency_key: 'once' };
    const [first, ...others] = await Promise.all(Array.from({ length: 6 }, () => act(agentId, 'run_lens', metadata)));
    for (const other of others) expect(other).toEqual(first);
    expect(first?.result).toBe('success');
    expect(await runsOf(agentId)).toHaveLength(1);
    const changed = { ...metadata, param_values: { name: 'Eve' } };
    expect(await codeOf(act(agentId, 'run_lens', changed))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('takes the id from the context, and names of members in camelCase', async () => {
    const agentId = await anAgent();
    const contextId = await lensId();
    const byContext = { agentId, action: 'run_lens', metadata: { paramValues: params } } as const;
    expect(await runAgentAction(ada, { ...byContext, contextType: 'lens', contextId })).toMatchObject({
      result: 'success',
    });
    expect(await codeOf(runAgentAction(ada, { ...byContext, contextType: 'battle', contextId }))).toBe('BAD_INPUT');
    const contradiction = { agentId, action: 'run_lens', metadata: { lens_id: newId() }, contextId } as const;
    expect(await codeOf(runAgentAction(ada, contradiction))).toBe('BAD_INPUT');
  });

  it.each([
    ['run_lens', {}, 'metadata.lens_id'],
    ['run_workflow', { workflow_id: 'x' }, 'metadata.workflow_id'],
    ['submit_entry', { battle_id: newId() }, 'metadata.content_text'],
    ['create_battle', { title: 'x', task_prompt: 'y', color: 'red' }, 'metadata.color'],
    ['join_battle', { battle_id: newId(), idempotency_key: '' }, 'metadata.idempotency_key'],
  ] as const)('refuses %s with invalid metadata', async (action, metadata, path) => {
    await expect(act(await anAgent(), action, metadata)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      details: { issues: [{ path }] },
    });
  });

  it('is not found by strangers, and fails for tokens with a credit limit', async () => {
    const agentId = await anAgent();
    expect(await codeOf(act(agentId, 'run_lens', {}, stranger))).toBe('NOT_FOUND');
    expect(await codeOf(act(newId(), 'run_lens', {}))).toBe('NOT_FOUND');
    const credential = { ...ada.actor.credential, creditLimit: { id: newId(), credits: 1, period: 'total' } } as const;
    const limited = { ...ada, actor: { ...ada.actor, credential } };
    const metadata = { lens_id: await lensId(), param_values: params };
    expect(await act(agentId, 'run_lens', metadata, limited)).toMatchObject({ result: 'failed', reason: 'forbidden' });
  });

  it('has an event and an audit entry for each verdict', async () => {
    const agentId = await anAgent({ actions: { ...allowAll, create_battle: 'ask', cast_vote: 'deny' } }, []);
    await act(agentId, 'run_lens', {});
    for (const toolId of allTools) await assignTool(ada, { agentId, toolId, allowed: true });
    await act(agentId, 'run_lens', { lens_id: await lensId(), param_values: params });
    await act(agentId, 'create_battle', { title: 'x', task_prompt: 'y' });
    await act(agentId, 'cast_vote', {});
    const events = await fixture.eventsOf(ada, agentId);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    const decided = events.filter(({ eventType }) => eventType === 'action.decided').map(({ payload }) => payload);
    expect(decided).toMatchObject([
      { action: 'run_lens', verdict: 'deny', result: 'blocked_by_policy', reason: 'not_granted' },
      { action: 'run_lens', verdict: 'allow', result: 'success' },
      { action: 'create_battle', verdict: 'ask', result: 'blocked_by_policy', reason: 'approval_required' },
      { action: 'cast_vote', verdict: 'deny', result: 'blocked_by_policy', reason: 'policy' },
    ]);
    const { items } = await listAudit(ada, { accountId: ada.actor.accountId, limit: 50 });
    const audited = items.filter(({ action, target }) => action === 'agent_action.decided' && target?.id === agentId);
    expect(audited.map(({ details }) => details).reverse()).toEqual(decided);
  });
});

describe('approvals', () => {
  const asks = { actions: { ...allowAll, run_lens: 'ask' as const } };
  const requested = async (metadata: object = {}): Promise<{ agentId: string; approvalId: string }> => {
    const agentId = await anAgent(asks);
    const lens = { lens_id: await lensId(), param_values: params };
    const { output, ...reply } = await act(agentId, 'run_lens', { ...lens, ...metadata });
    expect(reply).toMatchObject({ result: 'blocked_by_policy', reason: 'approval_required' });
    expect(await runsOf(agentId)).toEqual([]);
    return { agentId, approvalId: String(output?.['approvalId']) };
  };

  it('perform the action once, by the first of concurrent decisions', async () => {
    const { agentId, approvalId } = await requested({ idempotency_key: 'k' });
    const { items } = await listAgentApprovals(ada, { agentId, status: 'pending', limit: 5 });
    expect(items).toMatchObject([
      { id: approvalId, action: 'run_lens', status: 'pending', result: null, output: null },
    ]);
    const decisions = await Promise.allSettled(
      Array.from({ length: 4 }, () => decideAgentApproval(ada, { agentId, approvalId, approve: true })),
    );
    const done = decisions.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    expect(done).toMatchObject([{ status: 'approved', result: 'success', output: { runId: expect.any(String) } }]);
    const refused = decisions.flatMap((each) => (each.status === 'rejected' ? (each.reason as object) : []));
    for (const reason of refused) expect(reason).toMatchObject({ code: 'CONFLICT', details: { status: 'approved' } });
    expect(await runsOf(agentId)).toMatchObject([{ id: done[0]?.output?.['runId'], own: true }]);
    const [{ metadata }] = items as [(typeof items)[number]];
    expect(await act(agentId, 'run_lens', metadata)).toMatchObject({ result: 'success' });
    expect(await runsOf(agentId)).toHaveLength(1);
  });

  it('can be denied, and perform nothing that grant or policy refuse by then', async () => {
    const denied = await requested();
    expect(await decideAgentApproval(ada, { ...denied, approve: false })).toMatchObject({
      status: 'denied',
      result: null,
    });
    const revoked = await requested();
    await revokeTool(ada, { agentId: revoked.agentId, toolId: 'run_lens' });
    expect(await decideAgentApproval(ada, { ...revoked, approve: true })).toMatchObject({
      status: 'approved',
      result: 'blocked_by_policy',
      reason: 'not_granted',
    });
    const forbidden = await requested();
    const policy = { actions: {}, creditsPerDay: null, runsPerDay: null };
    await updateAiLenser(ada, { aiLenserId: forbidden.agentId, policy });
    expect(await decideAgentApproval(ada, { ...forbidden, approve: true })).toMatchObject({ reason: 'policy' });
    for (const { agentId } of [denied, revoked, forbidden]) expect(await runsOf(agentId)).toEqual([]);
    const events = await fixture.eventsOf(ada, denied.agentId);
    expect(events.slice(-2).map(({ eventType, payload }) => [eventType, payload['status']])).toEqual([
      ['approval.requested', undefined],
      ['approval.decided', 'denied'],
    ]);
  });

  it('expire after a day, and are invisible to strangers', async () => {
    const { agentId, approvalId } = await requested();
    expect(await codeOf(decideAgentApproval(stranger, { agentId, approvalId, approve: true }))).toBe('NOT_FOUND');
    expect(await codeOf(listAgentApprovals(stranger, { agentId, limit: 5 }))).toBe('NOT_FOUND');
    const waits = async (who: Context) =>
      (await listPendingAgentApprovals(who, { limit: 50 })).items.some(({ id }) => id === approvalId);
    expect([await waits(ada), await waits(stranger)]).toEqual([true, false]);
    expect(await codeOf(decideAgentApproval(ada, { agentId, approvalId: newId(), approve: true }))).toBe('NOT_FOUND');
    await ada.db.query(`update agent_actions set expires_at = now() where id = $1`, [approvalId]);
    await expect(decideAgentApproval(ada, { agentId, approvalId, approve: true })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { status: 'expired' },
    });
    expect((await listAgentApprovals(ada, { agentId, status: 'expired', limit: 5 })).total).toBe(1);
    expect(await waits(ada)).toBe(false);
  });
});
