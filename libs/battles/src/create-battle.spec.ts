import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Battle, type BattleCheck, parse } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { aPricedModel } from '@lensforge/models/testing';
import { closeSandbox } from '@lensforge/sandbox';
import { type BattleFixture, battleFixture, codeOf, faultsOf } from '../test/battle-fixture.js';
import { type NewBattle, createBattle } from './create-battle.js';

let fixture: BattleFixture;
let ada: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  ada = await fixture.aPerson();
});
afterAll(async () => {
  closeSandbox();
  await fixture.close();
});

const title = 'Haiku';
const taskPrompt = 'Write a haiku about the sea.';
const check = (kind: BattleCheck['kind'], value: unknown): BattleCheck => ({ kind, weight: 1, value });

describe('createBattle', () => {
  it('creates a draft with the defaults', async () => {
    const battle = parse(Battle, await createBattle(ada, { title, taskPrompt }));
    expect(battle).toMatchObject({
      title,
      taskPrompt,
      battleType: 'ai_vs_ai',
      judgingMode: 'ai_judge',
      maxContenders: 2,
      status: 'draft',
      aiJudgeModelKey: null,
      rubric: null,
      checks: null,
      budgetCredits: null,
      creatorId: ada.actor.accountId,
      contenderCount: 0,
      contenders: [],
      ballot: null,
      judging: null,
      winner: null,
    });
  });

  it('stores all settings', async () => {
    const settings: NewBattle = {
      title,
      taskPrompt,
      battleType: 'human_vs_ai',
      judgingMode: 'rubric_score',
      maxContenders: 26,
      aiJudgeModelKey: 'offline/echo',
      rubric: [
        {
          name: 'Clarity',
          weight: 2,
          description: 'Is it clear?',
          anchors: ['no', 'hardly', 'partly', 'mostly', 'yes'],
        },
        { name: 'Rhythm', weight: 0.5, description: '' },
      ],
      checks: [
        check('contains', 'sea'),
        check('max_length', 200),
        check('json_schema', { type: 'object' }),
        check('matches', '^a+'),
        check('expression', 'size(text) > 1'),
      ],
      budgetCredits: 500,
    };
    expect(await createBattle(ada, settings)).toMatchObject(settings);
  });

  it('refuses a rubric with a name twice', async () => {
    const rubric = ['Clarity', ' clarity '].map((name) => ({ name, weight: 1, description: '' }));
    expect(await faultsOf(createBattle(ada, { title, taskPrompt, rubric }))).toEqual(['rubric.1.name']);
  });

  it.each([
    check('equals', 7),
    check('equals', ''),
    check('contains', null),
    check('similarity', ['x']),
    check('max_length', '10'),
    check('max_length', 0),
    check('max_length', 1.5),
    check('json_schema', 'object'),
    check('matches', 'x'.repeat(1001)),
    check('expression', {}),
    check('matches', '('),
    check('expression', 'size(text) >'),
    check('expression', 'inputs.text == text'),
  ])('refuses the check %j', async (each) => {
    const checks = [check('contains', 'fine'), each];
    expect(await faultsOf(createBattle(ada, { title, taskPrompt, checks }))).toEqual(['checks.1.value']);
  });

  it('refuses a check with a schema that is not supported, and names the keyword', async () => {
    const checks = [check('json_schema', { type: 'object', properties: { name: { format: 'email' } } })];
    expect(await faultsOf(createBattle(ada, { title, taskPrompt, checks }))).toEqual([
      'checks.0.value.properties.name',
    ]);
  });

  it('refuses a judge model that is unknown or cannot answer JSON', async () => {
    const { key } = await aPricedModel(fixture.ctx);
    for (const aiJudgeModelKey of ['no-such-model', key]) {
      expect(await faultsOf(createBattle(ada, { title, taskPrompt, aiJudgeModelKey }))).toEqual(['aiJudgeModelKey']);
    }
    expect(await createBattle(ada, { title, taskPrompt, aiJudgeModelKey: 'gpt-6-luna' })).toMatchObject({
      aiJudgeModelKey: 'gpt-6-luna',
    });
  });

  it('refuses callers without an account', async () => {
    for (const caller of [fixture.anonymous, fixture.platform]) {
      expect(await codeOf(createBattle(caller, { title, taskPrompt }))).toBe('MISSING_LENSER');
    }
  });
});
