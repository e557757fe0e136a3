import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BattleScore, type BattleStatus, type JudgingMode, parse } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { aContext } from '@lensforge/testing';
import { type BattleFixture, battleFixture, codeOf } from '../test/battle-fixture.js';
import { StoredContender } from './contender.entity.js';
import { readBattleScore } from './read-battle-score.js';
import { aBattle, aContender } from './testing.js';

let fixture: BattleFixture;
let ada: Context;
let eve: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  [ada, eve] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

/** A judged battle of a person (A) and an AI lenser (B), with votes. */
async function aJudgedBattle(
  status: BattleStatus,
  judgingMode: JudgingMode = 'rubric_score',
): Promise<{ id: string; a: StoredContender; b: StoredContender }> {
  const { id } = await aBattle(ada, { battleType: 'human_vs_ai', judgingMode, status, judgingTotal: 4 });
  const a = await aContender(ada, { id }, { text: 'Waves.' });
  const b = await aContender(ada, { id }, { text: 'Foam.', contenderType: 'ai_agent' });
  for (const [index, contender] of [a, b].entries()) {
    await ada.db.update(StoredContender, { id: contender.id }, { voteCount: index, voteScore: index });
    await ada.db.query(
      `insert into battle_verdicts (contender_id, battle_id, verdict, score, reasoning)
       values ($1, $2, 'good', 0.5, $3)`,
      [contender.id, id, `about ${contender.slotLabel}`],
    );
  }
  return { id, a, b };
}

const ownerOf = ({ ownerAccountId: accountId }: StoredContender): Context => aContext(ada.db, { accountId });
const reasons = async (ctx: Context, id: string): Promise<string[]> =>
  (await readBattleScore(ctx, id)).aiJudgeVerdicts.map(({ reasoning }) => reasoning);

describe('readBattleScore', () => {
  it('reads votes and verdicts of a closed battle', async () => {
    const { id, a, b } = await aJudgedBattle('published');
    const verdict = { verdict: 'good', score: 0.5, createdAt: expect.any(String) };
    expect(parse(BattleScore, await readBattleScore(eve, id.toUpperCase()))).toEqual({
      battleId: id,
      voteAggregates: [
        { contenderId: a.id, voteCount: 0, voteScore: 0 },
        { contenderId: b.id, voteCount: 1, voteScore: 1 },
      ],
      aiJudgeVerdicts: [
        { contenderId: a.id, reasoning: 'about A', ...verdict },
        { contenderId: b.id, reasoning: 'about B', ...verdict },
      ],
      judging: null,
      winner: null,
    });
  });

  it('withholds votes and the verdicts on texts of others until the battle is closed', async () => {
    for (const status of ['voting', 'scoring'] as const) {
      const { id, a, b } = await aJudgedBattle(status);
      expect(await reasons(ada, id)).toEqual(['about B']);
      expect(await reasons(ownerOf(a), id)).toEqual(['about A']);
      expect(await reasons(ownerOf(b), id)).toEqual(['about B']);
      for (const ctx of [ada, ownerOf(a), fixture.platform]) {
        expect(await readBattleScore(ctx, id)).toMatchObject({ voteAggregates: [], winner: null });
      }
    }
    const { id } = await aJudgedBattle('voting');
    expect(await reasons(eve, id)).toEqual([]);
    const archived = await aJudgedBattle('archived');
    expect(await reasons(ownerOf(archived.a), archived.id)).toEqual(['about A']);
  });

  it('withholds the reasoning of comparisons, which may quote texts of others, until the battle is closed', async () => {
    for (const status of ['scoring', 'archived'] as const) {
      const { id, a } = await aJudgedBattle(status, 'ai_judge');
      for (const [ctx, contenders] of [
        [ada, 1],
        [ownerOf(a), 1],
        [fixture.platform, 1],
      ] as const) {
        const shown = await reasons(ctx, id);
        expect(shown).toHaveLength(contenders);
        expect(shown.join()).toContain('is shown when the battle is closed');
        expect(shown.join()).not.toContain('about');
      }
    }
    const { id } = await aJudgedBattle('closed', 'ai_judge');
    expect(await reasons(ada, id)).toEqual(['about A', 'about B']);
    const { a, ...own } = await aJudgedBattle('scoring', 'ai_judge');
    await ada.db.update(StoredContender, { id: a.id }, { contenderType: 'ai_model' });
    expect(await reasons(ada, own.id)).toEqual(['about A', 'about B']);
  });

  it('is for callers who may read the battle', async () => {
    const { id } = await aJudgedBattle('closed');
    expect(await codeOf(readBattleScore(eve, id))).toBe('NOT_FOUND');
    expect(await reasons(ada, id)).toHaveLength(2);
  });
});
