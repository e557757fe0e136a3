import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type BattleFixture, battleFixture } from '../../test/battle-fixture.js';
import { battleOf, eventsOf } from '../../test/battle-stages.js';
import { lockBattle } from '../access.js';
import { aBattle, aContender } from '../testing.js';
import { castVote } from './cast-vote.js';
import { countVotes } from './count-votes.js';

let fixture: BattleFixture;
let ada: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  ada = await fixture.aPerson();
});
afterAll(() => fixture.close());

async function anOpenVote(): Promise<string> {
  const battle = await aBattle(ada, { battleType: 'human_vs_ai', status: 'voting' });
  for (const text of ['Waves.', 'Foam.']) await aContender(ada, battle, { text });
  return battle.id;
}
const vote = (voter: Context, battleId: string) => castVote(voter, { battleId, tie: true });
const waitOver = (battleId: string) =>
  ada.db.query(`update battles set votes_counted_at = now() - interval '1 s' where id = $1`, [battleId]);

describe('countVotes', () => {
  it('counts each account once, however often it replaces its vote', async () => {
    const battleId = await anOpenVote();
    const voters = [await fixture.aPerson(), await fixture.aPerson()];
    for (const voter of voters) await vote(voter, battleId);
    await countVotes(fixture.platform);
    expect(await battleOf(ada, battleId)).toMatchObject({ voteCount: 2 });
    for (const voter of voters) await vote(voter, battleId);
    await waitOver(battleId);
    await countVotes(fixture.platform);
    await vote(await fixture.aPerson(), battleId);
    await countVotes(fixture.platform);
    expect(await battleOf(ada, battleId)).toMatchObject({ voteCount: 3 });
    expect(await eventsOf(ada, battleId)).toEqual(['votes.counted 2', 'votes.counted 3']);
  });

  it('counts a battle at most once a second', async () => {
    const battleId = await anOpenVote();
    for (let n = 0; n < 3; n += 1) {
      await vote(await fixture.aPerson(), battleId);
      await countVotes(fixture.platform);
    }
    expect(await eventsOf(ada, battleId)).toEqual(['votes.counted 1']);
    await waitOver(battleId);
    await countVotes(fixture.platform);
    expect(await eventsOf(ada, battleId)).toEqual(['votes.counted 1', 'votes.counted 3']);
  });

  it('counts each vote once when several workers count', async () => {
    const battleId = await anOpenVote();
    const voters = await Promise.all(Array.from({ length: 20 }, () => fixture.aPerson()));
    await Promise.all([
      ...voters.map((voter) => vote(voter, battleId)),
      ...Array.from({ length: 10 }, () => waitOver(battleId).then(() => countVotes(fixture.platform))),
    ]);
    await waitOver(battleId);
    await countVotes(fixture.platform);
    expect(await battleOf(ada, battleId)).toMatchObject({ voteCount: 20 });
    expect((await eventsOf(ada, battleId)).at(-1)).toBe('votes.counted 20');
  });

  it('does not wait for a locked battle, nor lets voters wait', async () => {
    const battleId = await anOpenVote();
    await inTransaction(ada, async (ctx) => {
      await lockBattle(ctx, battleId);
      await vote(await fixture.aPerson(), battleId);
      await countVotes(fixture.platform);
    });
    expect(await eventsOf(ada, battleId)).toEqual([]);
    await countVotes(fixture.platform);
    expect(await eventsOf(ada, battleId)).toEqual(['votes.counted 1']);
  });
});
