import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { limitRuns } from '@lensforge/runs';
import { aContext } from '@lensforge/testing';
import { type BattleFixture, battleFixture, codeOf, refusal } from '../test/battle-fixture.js';
import { battleOf, eventsOf } from '../test/battle-stages.js';
import type { StoredBattle } from './battle.entity.js';
import type { StoredContender } from './contender.entity.js';
import { readBattle } from './read-battle.js';
import { setBattleStatus } from './set-battle-status.js';
import { submitEntry } from './submit-entry.js';
import { aBattle, aContender } from './testing.js';

let fixture: BattleFixture;
let ada: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  ada = await fixture.aPerson();
});
afterAll(() => fixture.close());

const as = (accountId: string): Context => aContext(fixture.source.manager, { accountId });

async function aHumanBattle(
  traits: Parameters<typeof aBattle>[1] = {},
): Promise<{ battle: StoredBattle; one: StoredContender; other: StoredContender }> {
  const battle = await aBattle(ada, { battleType: 'human_vs_human_open_votes', status: 'open', ...traits });
  return { battle, one: await aContender(ada, battle), other: await aContender(ada, battle) };
}

const submit = (contender: StoredContender, contentText = 'Waves.', by = as(contender.ownerAccountId)) =>
  submitEntry(by, { battleId: contender.battleId, contenderId: contender.id, contentText });

async function textOf({ id }: StoredContender): Promise<string | undefined> {
  const [row] = await ada.db.query<{ text: string }[]>(
    'select content_text as text from battle_submissions where contender_id = $1',
    [id],
  );
  return row?.text;
}

describe('submitEntry', () => {
  it('stores the text of a contender and replaces it while the battle is open', async () => {
    const { battle, one, other } = await aHumanBattle();
    const reply = { battleId: battle.id, contenderId: one.id, submitted: true, status: 'open' };
    expect(await submit(one)).toEqual({ ...reply, replaced: false });
    expect(await submit(one, 'Foam.')).toEqual({ ...reply, replaced: true });
    expect(await textOf(one)).toBe('Foam.');
    await submit(other);
    expect((await battleOf(ada, battle.id)).status).toBe('open');
    expect(await eventsOf(ada, battle.id)).toEqual(['submission.received 1 of 2', 'submission.received 2 of 2']);
  });

  it('takes 1 to 100,000 characters of any script, without U+0000', async () => {
    const { one } = await aHumanBattle();
    const waves = '🌊'.repeat(100_000);
    await submit(one, waves);
    expect(await textOf(one)).toBe(waves);
    for (const text of ['', `${waves}!`, 'x'.repeat(100_001), 'a\0b']) {
      expect(await refusal(submit(one, text))).toMatchObject({
        code: 'BAD_INPUT',
        details: { issues: [{ path: 'contentText' }] },
      });
    }
  });

  it('lets the creator submit for AI contenders only, and their owners for their own', async () => {
    const battle = await aBattle(ada, { battleType: 'human_vs_ai', status: 'open' });
    const [human, ai] = [await aContender(ada, battle), await aContender(ada, battle, { contenderType: 'ai_agent' })];
    expect(await submit(ai, 'by the creator', ada)).toMatchObject({ replaced: false });
    expect(await submit(ai, 'by the owner')).toMatchObject({ replaced: true });
    expect(await submit(ai, 'by itself', as(ai.lenserAccountId))).toMatchObject({ replaced: true });
    expect(await codeOf(submit(human, 'x', ada))).toBe('FORBIDDEN');
    expect(await codeOf(submit(human, 'x', as(ai.ownerAccountId)))).toBe('FORBIDDEN');
  });

  it('refuses strangers and unknown contenders as NOT_FOUND', async () => {
    const { battle, one } = await aHumanBattle();
    const { one: foreign } = await aHumanBattle();
    const eve = await fixture.aPerson();
    expect(await codeOf(submit(one, 'x', eve))).toBe('NOT_FOUND');
    const wrong = { battleId: battle.id, contenderId: foreign.id, contentText: 'x' };
    expect(await codeOf(submitEntry(ada, wrong))).toBe('NOT_FOUND');
    expect(await codeOf(submitEntry(ada, { ...wrong, battleId: newId() }))).toBe('NOT_FOUND');
    const { one: voted } = await aHumanBattle({ status: 'voting' });
    expect(await codeOf(submit(voted, 'x', eve))).toBe('NOT_FOUND');
  });

  it.each(['draft', 'voting', 'scoring', 'closed', 'published', 'archived'] as const)(
    'is refused in the status %s',
    async (status) => {
      const { one } = await aHumanBattle({ status });
      expect(await refusal(submit(one))).toMatchObject({ code: 'INVALID_TRANSITION', details: { status } });
      expect(await textOf(one)).toBeUndefined();
    },
  );
});

describe('the last submission of an executing battle', () => {
  it('starts the vote of a battle with votes', async () => {
    const { battle, one, other } = await aHumanBattle({ status: 'executing' });
    expect(await submit(one)).toMatchObject({ status: 'executing' });
    expect(await submit(one, 'Foam.')).toMatchObject({ status: 'executing', replaced: true });
    expect(await submit(other)).toMatchObject({ status: 'voting' });
    expect(await eventsOf(ada, battle.id)).toEqual([
      'submission.received 1 of 2',
      'submission.received 2 of 2',
      'status.changed voting',
    ]);
  });

  it.each(['ai_judge', 'rubric_score', 'auto_score'] as const)(
    'starts a judging of the creator with %s',
    async (judgingMode) => {
      const { battle, one, other } = await aHumanBattle({ status: 'executing', judgingMode });
      await submit(one);
      expect(await submit(other)).toMatchObject({ status: 'scoring' });
      const { judgingRunId } = await battleOf(ada, battle.id);
      const runs = await ada.db.query<object[]>(
        `select account_id = $2 as own, kind, status, cause from runs where id = $1`,
        [judgingRunId, ada.actor.accountId],
      );
      const cause = { kind: 'battle', battleId: battle.id };
      expect(runs).toEqual([{ own: true, kind: 'judging', status: 'queued', cause }]);
    },
  );

  it('starts scoring once when two last ones arrive at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { battle, one, other } = await aHumanBattle({ status: 'executing', judgingMode: 'ai_judge' });
      const replies = await Promise.all([submit(one), submit(other)]);
      expect(replies.map(({ status }) => status).toSorted()).toEqual(['executing', 'scoring']);
      expect(await eventsOf(ada, battle.id)).toEqual([
        'submission.received 1 of 2',
        'submission.received 2 of 2',
        'status.changed scoring',
      ]);
      const [{ count }] = await ada.db.query<[{ count: number }]>(
        `select count(*)::int as count from runs where cause ->> 'battleId' = $1`,
        [battle.id],
      );
      expect(count).toBe(1);
    }
  });
});

it('a judging that cannot be accepted leaves the battle executing with its submissions', async () => {
  const { battle, one, other } = await aHumanBattle({ status: 'executing', judgingMode: 'ai_judge' });
  limitRuns(fixture.source, { atOnce: 1, backlog: 0 });
  try {
    await submit(one);
    expect(await submit(other)).toMatchObject({ status: 'executing', submitted: true });
    expect((await readBattle(ada, battle.id)).warnings.join(' ')).toContain('could not be started');
    await setBattleStatus(ada, { battleId: battle.id, status: 'voting' });
    expect(await codeOf(setBattleStatus(ada, { battleId: battle.id, status: 'scoring' }))).toBe('RATE_LIMITED');
  } finally {
    limitRuns(fixture.source, { atOnce: 100, backlog: 1000 });
  }
  const { status } = await setBattleStatus(ada, { battleId: battle.id, status: 'scoring' });
  expect(status).toBe('scoring');
  expect((await battleOf(ada, battle.id)).judgingRunId).not.toBeNull();
});
