import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BattleType,
  Contender,
  type ContenderType,
  battleStatuses,
  battleTypes,
  contenderTypes,
  parse,
} from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { anAccount, anAiLenser } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type BattleFixture, battleFixture, codeOf, faultsOf, outcomeOf } from '../test/battle-fixture.js';
import { type NewContender, addContender } from './add-contender.js';
import type { StoredBattle } from './battle.entity.js';
import { readBattle } from './read-battle.js';
import { aBattle, aContender } from './testing.js';
import { updateBattle } from './update-battle.js';
import { withdrawContender } from './withdraw-contender.js';

let fixture: BattleFixture;
let creator: Context;
let owner: Context;
let ai: string;
beforeAll(async () => {
  fixture = await battleFixture();
  [creator, owner] = [await fixture.aPerson(), await fixture.aPerson()];
  ai = (await anAiLenser(owner)).id;
});
afterAll(() => fixture.close());

const entry = (
  { id: battleId }: StoredBattle,
  contenderRefId: string,
  more: Partial<NewContender> = {},
): NewContender => ({ battleId, displayName: 'One', contenderType: 'ai_agent', contenderRefId, ...more });
const human = { contenderType: 'human' } as const;

describe('addContender', () => {
  it('adds a contender in the first free slot or the requested one', async () => {
    const battle = await aBattle(creator, { battleType: 'human_vs_ai' });
    const first = parse(Contender, await addContender(creator, entry(battle, ai, { displayName: 'Robot' })));
    expect(first).toEqual({
      id: expect.any(String),
      slotLabel: 'A',
      displayName: 'Robot',
      contenderType: 'ai_agent',
      contenderRefId: ai,
      lensId: null,
      workflowId: null,
      submitted: false,
      answerError: null,
      rank: null,
    });
    const person = await fixture.aPerson();
    const second = await addContender(creator, entry(battle, person.actor.accountId, { ...human, slot: 'Z' }));
    expect(second).toMatchObject({ slotLabel: 'Z', contenderType: 'human', contenderRefId: person.actor.accountId });
    expect(await addContender(creator, entry(battle, (await anAiLenser(creator)).id))).toMatchObject({
      slotLabel: 'B',
    });
    const { contenders } = await readBattle(creator, battle.id);
    expect(contenders.map(({ slotLabel }) => slotLabel)).toEqual(['A', 'B', 'Z']);
  });

  it('accepts and refuses contenders by the type of the battle', async () => {
    const person = (await fixture.aPerson()).actor.accountId;
    const all: ContenderType[] = [...contenderTypes];
    const permitted: Record<BattleType, ContenderType[]> = {
      ai_vs_ai: ['ai_model', 'ai_agent'],
      human_vs_human_ai_votes: ['human'],
      human_vs_human_open_votes: ['human'],
      human_vs_ai: all,
      workflow_battle: all,
      lenser_battle: all,
    };
    for (const battleType of battleTypes) {
      for (const contenderType of contenderTypes) {
        const battle = await aBattle(creator, { battleType });
        const call = addContender(creator, entry(battle, contenderType === 'human' ? person : ai, { contenderType }));
        if (permitted[battleType].includes(contenderType)) await call;
        else expect(await faultsOf(call)).toEqual(['contenderType']);
      }
    }
  });

  it('refuses a lenser of another kind, one that is not active, and an unknown one', async () => {
    const person = (await fixture.aPerson()).actor.accountId;
    const disabled = await fixture.aPerson();
    const ofDisabled = await anAiLenser(disabled);
    await fixture.source.query('update accounts set disabled_at = now() where id = $1', [disabled.actor.accountId]);
    const battle = await aBattle(creator, { battleType: 'human_vs_ai' });
    const wrong: [ContenderType, string][] = [
      ['human', ai],
      ['ai_model', person],
      ['ai_agent', person],
      ['ai_agent', (await anAiLenser(owner, { archived: true })).id],
      ['ai_agent', ofDisabled.id],
      ['human', disabled.actor.accountId],
      ['human', (await anAccount(fixture.ctx, { kind: 'community' })).id],
      ['human', newId()],
      ['ai_model', newId()],
    ];
    for (const [contenderType, id] of wrong) {
      expect(await faultsOf(addContender(creator, entry(battle, id, { contenderType })))).toEqual(['contenderRefId']);
    }
  });

  it('refuses an AI lenser whose owner does not let the creator use it, and lets the owner enter it', async () => {
    const [owner, stranger] = [await fixture.aPerson(), await fixture.aPerson()];
    const { id } = await anAiLenser(owner, { usableBy: 'communities' });
    const battle = await aBattle(stranger, { status: 'open', battleType: 'ai_vs_ai', maxContenders: 2 });
    const entered = (by: Context) => addContender(by, entry(battle, id, { contenderType: 'ai_agent' }));
    await expect(entered(stranger)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('only members of their communities'),
    });
    expect(await entered(owner)).toMatchObject({ contenderRefId: id });
    const { id: free } = await anAiLenser(owner, { usableBy: 'anyone' });
    expect(await addContender(stranger, entry(battle, free, { contenderType: 'ai_agent' }))).toMatchObject({
      contenderRefId: free,
    });
  });

  it('lets the creator enter any lenser in draft and open, and owners their own in open', async () => {
    const person = await fixture.aPerson();
    const stranger = await fixture.aPerson();
    const self = { contenderRefId: person.actor.accountId, ...human };
    const ofOwner = { contenderRefId: ai };
    const outcomes: Record<string, string[]> = {};
    for (const status of ['draft', 'open'] as const) {
      const calls: [Context, Partial<NewContender>][] = [
        [creator, self],
        [creator, ofOwner],
        [person, self],
        [owner, ofOwner],
        [stranger, self],
        [stranger, ofOwner],
        [stranger, { contenderRefId: newId() }],
        [fixture.anonymous, ofOwner],
      ];
      outcomes[status] = [];
      for (const [caller, more] of calls) {
        const battle = await aBattle(creator, { battleType: 'human_vs_ai', status });
        const call = addContender(caller, entry(battle, ai, more)).then(() => 'added');
        outcomes[status].push(await outcomeOf(call));
      }
    }
    const [yes, no, none] = ['added', 'FORBIDDEN', 'NOT_FOUND'];
    expect(outcomes).toEqual({
      draft: [yes, yes, none, none, none, none, none, none],
      open: [yes, yes, yes, yes, no, no, no, no],
    });
    const draft = await aBattle(creator);
    await aContender(creator, draft, { contenderType: 'ai_model', ownerAccountId: owner.actor.accountId });
    expect(await codeOf(addContender(owner, entry(draft, ai)))).toBe('FORBIDDEN');
  });

  it.each(battleStatuses.filter((status) => status !== 'draft' && status !== 'open'))(
    'refuses everyone when the battle is %s',
    async (status) => {
      const battle = await aBattle(creator, { status });
      const isPublic = status === 'voting' || status === 'published';
      expect(await codeOf(addContender(creator, entry(battle, ai)))).toBe('INVALID_TRANSITION');
      expect(await codeOf(addContender(owner, entry(battle, ai)))).toBe(isPublic ? 'INVALID_TRANSITION' : 'NOT_FOUND');
      const stranger = await fixture.aPerson();
      expect(await codeOf(addContender(stranger, entry(battle, ai)))).toBe(isPublic ? 'FORBIDDEN' : 'NOT_FOUND');
      expect(await readBattle(creator, battle.id)).toMatchObject({ contenderCount: 0 });
    },
  );

  it('refuses a lenser twice, a taken slot and a full battle', async () => {
    const battle = await aBattle(creator, { maxContenders: 2 });
    await addContender(creator, entry(battle, ai, { slot: 'B' }));
    expect(await codeOf(addContender(creator, entry(battle, ai, { contenderType: 'ai_model' })))).toBe('CONFLICT');
    const [second, third] = [(await anAiLenser(owner)).id, (await anAiLenser(owner)).id];
    expect(await codeOf(addContender(creator, entry(battle, second, { slot: 'B' })))).toBe('SLOTS_FULL');
    expect(await addContender(creator, entry(battle, second))).toMatchObject({ slotLabel: 'A' });
    expect(await codeOf(addContender(creator, entry(battle, third)))).toBe('SLOTS_FULL');
    expect(await codeOf(addContender(creator, entry(battle, third, { slot: 'Z' })))).toBe('SLOTS_FULL');
  });

  it('gives 26 contenders of concurrent callers 26 slots, and refuses the others', async () => {
    const battle = await aBattle(creator, { battleType: 'human_vs_human_open_votes', status: 'open' });
    const people = await Promise.all(Array.from({ length: 30 }, () => fixture.aPerson()));
    const calls = people.map((one) =>
      outcomeOf(addContender(one, entry(battle, one.actor.accountId, human)).then(({ slotLabel }) => slotLabel ?? '')),
    );
    const outcomes = (await Promise.all(calls)).sort();
    expect(outcomes).toEqual([...'ABCDEFGHIJKLMNOPQR', ...Array<string>(4).fill('SLOTS_FULL'), ...'STUVWXYZ'].sort());
    const { contenders } = await readBattle(creator, battle.id);
    for (const slotLabel of ['C', 'Q']) {
      const contenderId = contenders.find((each) => each.slotLabel === slotLabel)?.id ?? '';
      await withdrawContender(creator, { battleId: battle.id, contenderId });
    }
    const free = await Promise.all(
      [await fixture.aPerson(), await fixture.aPerson()].map((one) =>
        addContender(one, entry(battle, one.actor.accountId, human)),
      ),
    );
    expect(free.map(({ slotLabel }) => slotLabel).sort()).toEqual(['C', 'Q']);
  });

  it('gives a slot that many callers request to one of them', async () => {
    const battle = await aBattle(creator, { battleType: 'human_vs_human_open_votes', status: 'open' });
    const people = await Promise.all(Array.from({ length: 10 }, () => fixture.aPerson()));
    const calls = people.map((one) => addContender(one, entry(battle, one.actor.accountId, { ...human, slot: 'M' })));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('the lens or workflow of a contender', () => {
  const template = 'Answer this task in the tone of a friendly pirate, and briefly: ';

  it('is accepted when the task is all that it needs, and may differ for one lenser', async () => {
    const battle = await aBattle(creator, { battleType: 'lenser_battle' });
    const lens = await aLens(creator, { templateBody: `${template}[[Task_Prompt]] [[Tone!]]`, visibility: 'private' });
    const other = await aLens(owner, { templateBody: `${template}[[task_prompt!]]`, visibility: 'community' });
    for (const lensId of [lens.id, other.id]) {
      expect(await addContender(creator, entry(battle, ai, { lensId }))).toMatchObject({ lensId, workflowId: null });
    }
    expect(await codeOf(addContender(creator, entry(battle, ai, { lensId: lens.id })))).toBe('CONFLICT');
    const workflows = await aBattle(creator, { battleType: 'workflow_battle' });
    const inputs = { type: 'object', required: ['task_prompt'], properties: { task_prompt: { type: 'string' } } };
    for (const graph of [{ nodes: [], inputs }, undefined]) {
      const { id: workflowId } = await aWorkflow(creator, graph && { graph });
      expect(await addContender(creator, entry(workflows, ai, { workflowId }))).toMatchObject({ workflowId });
    }
  });

  it('is refused when the task is not all that it needs', async () => {
    const battle = await aBattle(creator, { battleType: 'lenser_battle' });
    for (const body of [`${template}[[task_prompt]] for [[Name]]`, `${template}[[Tone!]]`]) {
      const { id: lensId } = await aLens(creator, { templateBody: body });
      expect(await faultsOf(addContender(creator, entry(battle, ai, { lensId })))).toEqual(['lensId']);
    }
    const workflows = await aBattle(creator, { battleType: 'workflow_battle' });
    for (const inputs of [
      { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } },
      { type: 'object', additionalProperties: false, properties: { topic: { type: 'string' } } },
    ]) {
      const { id: workflowId } = await aWorkflow(creator, { graph: { nodes: [], inputs } });
      expect(await faultsOf(addContender(creator, entry(workflows, ai, { workflowId })))).toEqual(['workflowId']);
    }
  });

  it('is refused when the caller or the creator cannot see it', async () => {
    const battle = await aBattle(creator, { battleType: 'lenser_battle', status: 'open' });
    const ofOwner = await aLens(owner, { templateBody: `${template}[[task_prompt]]`, visibility: 'private' });
    const ofCreator = await aLens(creator, { templateBody: `${template}[[task_prompt]]`, visibility: 'private' });
    for (const [caller, lensId] of [
      [creator, ofOwner.id],
      [owner, ofOwner.id],
      [owner, ofCreator.id],
      [creator, newId()],
    ] as const) {
      expect(await faultsOf(addContender(caller, entry(battle, ai, { lensId })))).toEqual(['lensId']);
    }
    const workflows = await aBattle(creator, { battleType: 'workflow_battle', status: 'open' });
    const { id: workflowId } = await aWorkflow(owner);
    for (const caller of [creator, owner]) {
      expect(await faultsOf(addContender(caller, entry(workflows, ai, { workflowId })))).toEqual(['workflowId']);
    }
  });

  it('is refused in other battles and for people', async () => {
    const { id: lensId } = await aLens(creator, { templateBody: `${template}[[task_prompt]]` });
    const { id: workflowId } = await aWorkflow(creator);
    const add = async (battleType: BattleType, more: Partial<NewContender>) =>
      faultsOf(addContender(creator, entry(await aBattle(creator, { battleType }), ai, more)));
    expect(await add('ai_vs_ai', { lensId })).toEqual(['lensId']);
    expect(await add('workflow_battle', { lensId })).toEqual(['lensId']);
    expect(await add('lenser_battle', { workflowId })).toEqual(['workflowId']);
    const person = { ...human, contenderRefId: owner.actor.accountId };
    expect(await add('lenser_battle', { lensId, ...person })).toEqual(['lensId']);
    expect(await add('workflow_battle', { workflowId, ...person })).toEqual(['workflowId']);
  });
});

describe('a judge of the model family of a contender', () => {
  const judging = { judgingMode: 'ai_judge', aiJudgeModelKey: 'gpt-6-luna' } as const;

  it('is permitted with a warning while there is no other', async () => {
    const lenser = await anAiLenser(owner, { aiModelKey: 'gpt-6-sol' });
    const battle = await aBattle(creator, judging);
    await addContender(creator, entry(battle, lenser.id, { displayName: 'Sol' }));
    const { warnings } = await readBattle(creator, battle.id);
    expect(warnings).toContainEqual(expect.stringMatching(/gpt-6-luna.*same provider.*Sol/));
    const offline = await aBattle(creator, { ...judging, aiJudgeModelKey: 'offline/echo' });
    await addContender(creator, entry(offline, ai));
  });

  it('is refused otherwise, when a contender is added and when the judge is changed', async () => {
    const other = await battleFixture();
    try {
      await other.source.query(`insert into providers (key, seen_at) values ('openai', now()), ('anthropic', now())`);
      const ada = await other.aPerson();
      const lenser = await anAiLenser(ada, { aiModelKey: 'openai/gpt-6-sol' });
      const battle = await aBattle(ada, { ...judging, status: 'draft' });
      expect(await faultsOf(addContender(ada, entry(battle, lenser.id)))).toEqual(['contenderRefId']);
      await updateBattle(ada, { battleId: battle.id, aiJudgeModelKey: 'claude-haiku-5-5' });
      await addContender(ada, entry(battle, lenser.id));
      const change = { battleId: battle.id, aiJudgeModelKey: 'gpt-6-luna' };
      expect(await faultsOf(updateBattle(ada, change))).toEqual(['aiJudgeModelKey']);
      expect(await updateBattle(ada, { ...change, judgingMode: 'community_vote' })).toMatchObject({
        warnings: [expect.any(String)],
      });
    } finally {
      await other.close();
    }
  });
});
