import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import type { ActionRule } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type AgentsFixture, agentsFixture, codeOf } from '../../test/agents-fixture.js';
import { archiveAgent, assignTool, contextOfAgent, listTools, revokeTool, toolVerdict } from '../index.js';

let fixture: AgentsFixture;
let ada: Context;
let stranger: Context;
beforeAll(async () => {
  fixture = await agentsFixture();
  [ada, stranger] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

const assign = (agentId: string, toolId: string, allowed = true) => assignTool(ada, { agentId, toolId, allowed });

describe('assignTool', () => {
  it('grants a tool once, changes the grant, and records both', async () => {
    const { id } = await fixture.anAgent(ada, {}, []);
    const made = await assign(id, 'get_lens');
    expect(made).toMatchObject({ aiLenserId: id, toolId: 'get_lens', allowed: true });
    expect(await assign(id, 'get_lens', false)).toMatchObject({ allowed: false, assignedAt: made.assignedAt });
    await assign(id, 'mcp:notes/search', false);
    await assign(id, 'cast_vote');
    const { items, total } = await listTools(ada, { agentId: id, limit: 2 });
    expect([total, items.map(({ toolId }) => toolId)]).toEqual([3, ['cast_vote', 'get_lens']]);
    const events = await fixture.eventsOf(ada, id);
    expect(events.map(({ sequence, eventType, payload }) => [sequence, eventType, payload['toolId']])).toEqual([
      [1, 'tool.assigned', 'get_lens'],
      [2, 'tool.assigned', 'get_lens'],
      [3, 'tool.assigned', 'mcp:notes/search'],
      [4, 'tool.assigned', 'cast_vote'],
    ]);
    const { items: audited } = await listAudit(ada, { accountId: ada.actor.accountId, limit: 1 });
    expect(audited).toMatchObject([{ action: 'agent_tool.assigned', target: { kind: 'ai_lenser', id } }]);
  });

  it.each([
    'no_such_tool',
    'constructor',
    'mcp:',
    'mcp:a',
    'assign_agent_tool',
    'update_ai_lenser',
    'start_agent_team_run',
  ])('refuses %s', async (toolId) => {
    const { id } = await fixture.anAgent(ada, {}, []);
    await expect(assign(id, toolId)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      details: { issues: [{ path: 'toolId' }] },
    });
  });

  it('refuses strangers, who find neither grants nor the AI lenser, and archived AI lensers', async () => {
    const { id: agentId } = await fixture.anAgent(ada);
    const tool = { agentId, toolId: 'run_lens' };
    expect(await codeOf(assignTool(stranger, { ...tool, allowed: true }))).toBe('NOT_FOUND');
    expect(await codeOf(revokeTool(stranger, tool))).toBe('NOT_FOUND');
    expect(await codeOf(listTools(stranger, { agentId, limit: 1 }))).toBe('NOT_FOUND');
    await archiveAgent(ada, agentId);
    expect(await codeOf(assign(agentId, 'run_lens'))).toBe('CONFLICT');
  });
});

describe('revokeTool', () => {
  it('revokes once', async () => {
    const { id: agentId } = await fixture.anAgent(ada, {}, ['run_lens']);
    expect(await revokeTool(ada, { agentId, toolId: 'run_lens' })).toMatchObject({ revoked: true });
    expect(await revokeTool(ada, { agentId, toolId: 'run_lens' })).toMatchObject({ revoked: false });
    expect((await listTools(ada, { agentId, limit: 1 })).total).toBe(0);
    expect((await fixture.eventsOf(ada, agentId)).at(-1)).toMatchObject({ sequence: 2, eventType: 'tool.revoked' });
  });
});

describe('toolVerdict', () => {
  it.each<[string, boolean | undefined, ActionRule | undefined, object]>([
    ['no grant', undefined, 'allow', { verdict: 'deny', reason: 'not_granted' }],
    ['a refused grant', false, 'allow', { verdict: 'deny', reason: 'grant_refused' }],
    ['no rule', true, undefined, { verdict: 'deny', reason: 'policy' }],
    ['the rule deny', true, 'deny', { verdict: 'deny', reason: 'policy' }],
    ['the rule ask', true, 'ask', { verdict: 'ask', reason: 'approval_required' }],
    ['the rule allow', true, 'allow', { verdict: 'allow' }],
  ])('decides for %s', async (_, granted, rule, expected) => {
    const actions = rule ? { submit_entry: rule } : {};
    const { id: agentId } = await fixture.anAgent(ada, { policy: { actions } }, []);
    const toolId = 'submit_battle_run';
    if (granted !== undefined) await assign(agentId, toolId, granted);
    expect(await toolVerdict(ada, { agentId, toolId })).toEqual(expected);
  });

  it('allows granted tools that no action uses, and nothing to archived AI lensers', async () => {
    const { id: agentId } = await fixture.anAgent(ada, {}, ['get_lens']);
    expect(await toolVerdict(ada, { agentId, toolId: 'get_lens' })).toEqual({ verdict: 'allow' });
    await archiveAgent(ada, agentId);
    expect(await toolVerdict(ada, { agentId, toolId: 'get_lens' })).toEqual({ verdict: 'deny', reason: 'archived' });
    expect(await codeOf(toolVerdict(ada, { agentId: newId(), toolId: 'get_lens' }))).toBe('NOT_FOUND');
  });
});

describe('contextOfAgent', () => {
  it('has the account of the owner and the scopes of the grants that the caller has, too', async () => {
    const { id } = await fixture.anAgent(ada, { policy: { creditsPerDay: 7 } }, ['get_lens', 'run_workflow']);
    await assign(id, 'create_battle', false);
    const { actor } = await contextOfAgent(fixture.platform, id);
    expect(actor).toMatchObject({
      accountId: ada.actor.accountId,
      userId: null,
      credential: { kind: 'service', id, creditLimit: { id, credits: 7, period: 'day', of: 'agent' } },
    });
    expect([...actor.scopes].sort()).toEqual(['lenses:read', 'workflows:write']);
    const reader = { ...ada, actor: { ...ada.actor, scopes: ['lenses:read' as const] } };
    expect((await contextOfAgent(reader, id)).actor.scopes).toEqual(['lenses:read']);
    expect((await contextOfAgent(ada, id, 'cast_vote')).actor.accountId).toBe(id);
    expect(await codeOf(contextOfAgent(stranger, id))).toBe('NOT_FOUND');
  });
});
