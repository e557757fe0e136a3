import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Battle, parse } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { actingAs, anAiLenser } from '@lensforge/identity/testing';
import { type BattleFixture, battleFixture, codeOf } from '../test/battle-fixture.js';
import type { StoredBattle } from './battle.entity.js';
import { readBattle } from './read-battle.js';
import { readReferences } from './read-references.js';
import { aBattle, aContender } from './testing.js';

let fixture: BattleFixture;
let creator: Context;
let voter: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  [creator, voter] = [await fixture.aPerson(), await fixture.aPerson()];
});
afterAll(() => fixture.close());

const read = async (ctx: Context, { id }: Pick<StoredBattle, 'id'>): Promise<Battle> =>
  parse(Battle, await readBattle(ctx, id));

describe('readBattle', () => {
  it('answers NOT_FOUND for an unknown battle', async () => {
    expect(await codeOf(readBattle(creator, newId()))).toBe('NOT_FOUND');
  });

  it('shows results once the battle is closed, and not before', async () => {
    for (const status of ['scoring', 'closed', 'published', 'archived'] as const) {
      const battle = await aBattle(creator, {
        status,
        voteCount: 3,
        checks: [{ kind: 'equals', weight: 1, value: 'x' }],
      });
      const first = await aContender(creator, battle, { text: 'One' });
      const second = await aContender(creator, battle, { text: 'Two' });
      const results = 'update battle_contenders set vote_count = $2, vote_score = $3, rank = $4 where id = $1';
      await fixture.source.query(results, [first.id, 1, 0.25, 2]);
      await fixture.source.query(results, [second.id, 2, 0.75, 1]);
      await fixture.source.query('update battles set winner_contender_id = $2 where id = $1', [battle.id, second.id]);
      const isClosed = status === 'closed' || status === 'published';
      const participant = actingAs(fixture.ctx, first.ownerAccountId);
      const seen = await read(participant, battle);
      expect(seen).toMatchObject({
        votes: 3,
        winner: isClosed ? second.id : null,
        voteAggregates: isClosed
          ? [
              { contenderId: first.id, voteCount: 1, voteScore: 0.25 },
              { contenderId: second.id, voteCount: 2, voteScore: 0.75 },
            ]
          : [],
        checks: isClosed ? battle.checks : null,
      });
      expect(seen.contenders.map(({ rank }) => rank)).toEqual(isClosed ? [2, 1] : [null, null]);
    }
  });

  it('shows results of an archived battle that was closed before', async () => {
    const battle = await aBattle(creator, { status: 'archived', closedAt: new Date() });
    const { id } = await aContender(creator, battle, { text: 'One', contenderType: 'human' });
    expect(await read(creator, battle)).toMatchObject({ submissions: [{ contenderId: id, contentText: 'One' }] });
  });

  it('shows budget, checks, errors and the judging run to the creator, and lens and workflow to the owner', async () => {
    const judgingRunId = newId();
    const battle = await aBattle(creator, {
      status: 'scoring',
      budgetCredits: '40',
      judgingRunId,
      judgingTotal: 6,
      checks: [{ kind: 'equals', weight: 1, value: 'secret' }],
    });
    const lensId = newId();
    const mine = await aContender(creator, battle, { contenderType: 'ai_model', lensId });
    const { ownerAccountId } = await aContender(creator, battle, { contenderType: 'ai_model' });
    await fixture.source.query(`update battle_contenders set answer_error = 'too slow' where id = $1`, [mine.id]);
    await fixture.source.query(
      `insert into battle_judgements (battle_id, item, run_id, judgement, reasoning, judge, prompt_hash)
       select $1, n, $2, '{}', '', 'judge/large', 'ab12' from generate_series(1, 2) n`,
      [battle.id, judgingRunId],
    );
    const [contender] = (await read(creator, battle)).contenders;
    expect(contender).toMatchObject({ lensId, answerError: 'too slow', submitted: false });
    expect(await read(creator, battle)).toMatchObject({
      budgetCredits: 40,
      checks: battle.checks,
      judging: { runId: judgingRunId, status: null, judged: 2, total: 6, judge: 'judge/large', promptHash: 'ab12' },
    });
    const owner = await read(actingAs(fixture.ctx, mine.ownerAccountId), battle);
    expect(owner.contenders[0]).toMatchObject({ lensId, answerError: 'too slow' });
    const other = await read(actingAs(fixture.ctx, ownerAccountId), battle);
    expect(other).toMatchObject({ budgetCredits: null, checks: null, judging: { runId: null, judged: 2, total: 6 } });
    expect(other.contenders[0]).toMatchObject({ id: mine.id, lensId: null, answerError: null, submitted: false });
  });

  it('warns of what is unusual in the present status', async () => {
    const warnings = async (traits: Partial<StoredBattle>, texts: (string | undefined)[]): Promise<string[]> => {
      const battle = await aBattle(creator, traits);
      for (const text of texts) await aContender(creator, battle, text === undefined ? {} : { text });
      return (await read(creator, battle)).warnings;
    };
    expect(await warnings({}, [])).toEqual(['The battle has no contenders; a battle needs two.']);
    expect(await warnings({}, ['x'])).toEqual(['The battle has one contender; a battle needs two.']);
    expect(await warnings({}, [undefined, undefined])).toEqual([]);
    expect(await warnings({ status: 'voting' }, ['x', undefined, 'y'])).toEqual([
      '1 of 3 contenders have no submission.',
    ]);
    expect(await warnings({ status: 'voting' }, ['x', 'y'])).toEqual([]);
    expect(await warnings({ battleType: 'human_vs_ai' }, ['x', 'y'])).toEqual([expect.stringContaining('one kind')]);
    expect(await warnings({ judgingMode: 'auto_score' }, ['x', 'y'])).toEqual([expect.stringContaining('no checks')]);
    expect(await warnings({ judgingMode: 'ai_judge' }, ['x', 'y'])).toEqual([expect.stringContaining('offline judge')]);
    expect(await warnings({ judgingMode: 'rubric_score', aiJudgeModelKey: 'gone' }, ['x', 'y'])).toEqual([
      'The judge model gone cannot be used any more.',
    ]);
    expect(await warnings({ status: 'archived' }, [])).toEqual([]);
  });

  it('warns voters of nothing that tells contenders apart', async () => {
    const battle = await aBattle(creator, {
      status: 'voting',
      judgingMode: 'ai_judge',
      aiJudgeModelKey: 'offline/echo',
    });
    for (const displayName of ['Known', 'Other']) {
      await aContender(creator, battle, { contenderType: 'ai_model', displayName, text: displayName.toUpperCase() });
    }
    expect((await read(creator, battle)).warnings).toEqual([expect.stringContaining('Known, Other')]);
    expect((await read(voter, battle)).warnings).toEqual([]);
  });
});

describe('readReferences', () => {
  it('names lensers and models that the view names', async () => {
    const owner = await fixture.aPerson();
    const ai = await anAiLenser(owner, { aiModelKey: 'openai/gpt-6-sol' });
    const battle = await aBattle(creator, { status: 'voting', aiJudgeModelKey: 'claude-haiku-5-5' });
    const traits = {
      contenderType: 'ai_model',
      ownerAccountId: owner.actor.accountId,
      lenserAccountId: ai.id,
    } as const;
    await aContender(creator, battle, { ...traits, text: 'One' });
    const judge = { key: 'claude-haiku-5-5', provider: 'anthropic', displayName: 'Claude Haiku 5.5' };
    const all = await readReferences(creator, await read(creator, battle));
    expect(all.lensers.map(({ id }) => id).sort()).toEqual([creator.actor.accountId, ai.id].sort());
    expect(all.lensers).toContainEqual({
      id: ai.id,
      kind: 'ai',
      handle: ai.handle,
      displayName: ai.displayName,
      modelKey: 'openai/gpt-6-sol',
    });
    expect(all.models).toEqual([judge, { key: 'openai/gpt-6-sol', provider: 'openai', displayName: 'GPT-6 Sol' }]);
    const known = await readReferences(voter, await read(voter, battle));
    expect(known.lensers.map(({ id }) => id)).toEqual([creator.actor.accountId]);
    expect(known.models).toEqual([judge]);
  });
});
