import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, platformEvents } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { archiveAiLenser } from '@lensforge/identity';
import { actingAs, anAiLenser } from '@lensforge/identity/testing';
import { retryRun } from '@lensforge/runs';
import { type BattleFixture, battleFixture } from '../test/battle-fixture.js';
import { battleOf, blindIds, contendersOf, endRun, eventsOf } from '../test/battle-stages.js';
import type { StoredBattle } from './battle.entity.js';
import type { StoredContender } from './contender.entity.js';
import { setBattleStatus } from './set-battle-status.js';
import { aBattle, aContender } from './testing.js';
import { castVote } from './votes/cast-vote.js';

let fixture: BattleFixture;
let ada: Context;
beforeAll(async () => {
  fixture = await battleFixture();
  ada = await fixture.aPerson();
  await ada.db.query(
    `insert into webhook_endpoints (id, account_id, url, events, secret)
     values ($1, $2, 'https://receiver.example/', '{battle.completed}', '')`,
    [newId(), ada.actor.accountId],
  );
});
afterAll(() => fixture.close());

interface Voted {
  battle: StoredBattle;
  contenders: StoredContender[];
}

/** A battle with three entries in voting; a fourth contender has not submitted. */
async function aVotingBattle(traits: Partial<StoredBattle> = {}): Promise<Voted> {
  const battle = await aBattle(ada, { battleType: 'human_vs_human_open_votes', status: 'voting', ...traits });
  const contenders: StoredContender[] = [];
  for (const text of ['Waves.', 'Foam.', 'Salt.']) contenders.push(await aContender(ada, battle, { text }));
  contenders.push(await aContender(ada, battle));
  return { battle, contenders };
}

/** Casts a vote by the indexes of contenders; an empty list is a tie. */
async function vote({ battle, contenders }: Voted, ...ranking: number[]): Promise<void> {
  const voter = await fixture.aPerson();
  const blind = blindIds(battle, voter, contenders.slice(0, 3));
  const given = ranking.length > 0 ? { ranking: ranking.map((index) => blind[index] ?? '') } : { tie: true as const };
  await castVote(voter, { battleId: battle.id, ...given });
}

const move = (battleId: string, status: 'scoring' | 'closed' | 'archived') =>
  setBattleStatus(ada, { battleId, status, confirm: true });

async function close({ battle }: Voted) {
  if ((await battleOf(ada, battle.id)).status === 'voting') await move(battle.id, 'scoring');
  const { warnings } = await move(battle.id, 'closed');
  const contenders = await contendersOf(ada, battle.id);
  return { battle: await battleOf(ada, battle.id), contenders, warnings };
}

async function judge({ battle, contenders }: Voted, scores: readonly number[]): Promise<void> {
  for (const [index, score] of scores.entries()) {
    await ada.db.query(
      `insert into battle_verdicts (contender_id, battle_id, verdict, score, reasoning) values ($1, $2, 'good', $3, 'x')`,
      [contenders[index]?.id, battle.id, score],
    );
  }
}

const completions = (battleId: string) =>
  ada.db.query<{ data: object; accountId: string }[]>(
    `select payload -> 'data' as data, payload ->> 'accountId' as "accountId" from outbox
      where payload ->> 'type' = 'battle.completed' and payload -> 'data' ->> 'battleId' = $1`,
    [battleId],
  );

describe('closing a battle', () => {
  it('counts one vote for each owner of AI lensers, the last one of those that are active', async () => {
    const voted = await aVotingBattle({ battleType: 'human_vs_human_ai_votes' });
    const [greedy, fair, gone] = [await fixture.aPerson(), await fixture.aPerson(), await fixture.aPerson()];
    const voteBy = async (owner: Context, first: number, archived = false): Promise<void> => {
      const agent = actingAs(owner, (await anAiLenser(owner)).id);
      const [winner] = blindIds(voted.battle, agent, [voted.contenders[first]!]);
      await castVote(agent, { battleId: voted.battle.id, winner: winner! });
      if (archived) await archiveAiLenser(owner, agent.actor.accountId);
    };
    for (let n = 0; n < 3; n += 1) await voteBy(greedy, 0, true);
    await voteBy(greedy, 0);
    await voteBy(greedy, 1);
    await voteBy(greedy, 0, true);
    await voteBy(fair, 2);
    await voteBy(gone, 2, true);
    const { battle, contenders } = await close(voted);
    expect(contenders.map(({ voteCount }) => voteCount)).toEqual([0, 1, 1, null]);
    expect(battle.voteCount).toBe(2);
  });

  it('ranks by the mean Borda score of all votes and raises battle.completed', async () => {
    const voted = await aVotingBattle();
    await vote(voted, 1, 2, 0);
    await vote(voted, 1);
    await vote(voted, 0);
    await vote(voted);
    const { battle, contenders, warnings } = await close(voted);
    const [a, b, c, d] = contenders;
    expect([a?.voteCount, b?.voteCount, c?.voteCount, d?.voteCount]).toEqual([1, 2, 0, null]);
    expect([a?.voteScore, b?.voteScore, c?.voteScore]).toEqual([1.75 / 4, 2.75 / 4, 1.5 / 4]);
    expect([a?.rank, b?.rank, c?.rank, d?.rank]).toEqual([2, 1, 3, null]);
    expect(battle).toMatchObject({ status: 'closed', voteCount: 4, winnerContenderId: b?.id });
    expect(battle.closedAt).not.toBeNull();
    expect(warnings).toEqual(['1 of 4 contenders have no submission.']);
    const [completed, ...more] = await completions(battle.id);
    expect(more).toEqual([]);
    const data = parse(platformEvents['battle.completed'], completed?.data);
    expect(data).toEqual({
      battleId: battle.id,
      winner: b?.id,
      scores: { [a?.id ?? '']: 1.75 / 4, [b?.id ?? '']: 2.75 / 4, [c?.id ?? '']: 1.5 / 4 },
    });
    expect(completed?.accountId).toBe(ada.actor.accountId);
  });

  it('has no winner when first place is shared, and ranks by the earliest submission', async () => {
    const voted = await aVotingBattle();
    await vote(voted, 0, 1, 2);
    await vote(voted, 1, 0, 2);
    const { battle, contenders, warnings } = await close(voted);
    expect(battle.winnerContenderId).toBeNull();
    expect(contenders.map(({ rank }) => rank)).toEqual([1, 2, 3, null]);
    expect(warnings.join(' ')).toContain('First place is shared');
    expect(await completions(battle.id)).toMatchObject([{ data: { winner: null } }]);
  });

  it('puts the scores of a complete judging before votes', async () => {
    const voted = await aVotingBattle({ judgingMode: 'ai_judge' });
    for (let n = 0; n < 3; n += 1) await vote(voted, 0);
    await move(voted.battle.id, 'scoring');
    const { judgingRunId } = await battleOf(ada, voted.battle.id);
    await judge(voted, [0.2, 0.9, 0.5]);
    await endRun(ada, judgingRunId ?? '', { json: {} });
    const { battle, contenders } = await close(voted);
    expect(contenders.map(({ rank, judgeScore }) => [rank, judgeScore])).toEqual([
      [3, 0.2],
      [1, 0.9],
      [2, 0.5],
      [null, null],
    ]);
    expect(battle.winnerContenderId).toBe(contenders[1]?.id);
    expect(await completions(battle.id)).toMatchObject([{ data: { scores: { [contenders[1]?.id ?? '']: 0.9 } } }]);
  });

  it('uses the retry of a judging that succeeded, whatever became of the others', async () => {
    const voted = await aVotingBattle({ judgingMode: 'ai_judge' });
    await move(voted.battle.id, 'scoring');
    const first = (await battleOf(ada, voted.battle.id)).judgingRunId ?? '';
    await endRun(ada, first, 'failed');
    const retries = [await retryRun(ada, { runId: first }), await retryRun(ada, { runId: first })];
    await judge(voted, [0.2, 0.9, 0.5]);
    await endRun(ada, retries[0]?.runId ?? '', { json: {} });
    await endRun(ada, retries[1]?.runId ?? '', 'failed');
    const { battle, contenders } = await close(voted);
    expect(battle.winnerContenderId).toBe(contenders[1]?.id);
  });

  it('cancels a judging that goes on, and does not use a partial one', async () => {
    const voted = await aVotingBattle({ judgingMode: 'ai_judge' });
    await vote(voted, 0);
    await move(voted.battle.id, 'scoring');
    await judge(voted, [0.1, 0.9]);
    const { battle, contenders } = await close(voted);
    expect(contenders.map(({ judgeScore }) => judgeScore)).toEqual([null, null, null, null]);
    expect(battle.winnerContenderId).toBe(contenders[0]?.id);
    const [run] = await ada.db.query<{ status: string }[]>('select status from runs where id = $1', [
      battle.judgingRunId,
    ]);
    expect(run?.status).toBe('canceled');
    expect(await ada.db.query('select 1 from battle_verdicts where battle_id = $1', [battle.id])).toEqual([]);
  });

  it('archiving cancels the judging and decides nothing', async () => {
    const voted = await aVotingBattle({ judgingMode: 'ai_judge' });
    await vote(voted, 0);
    await move(voted.battle.id, 'scoring');
    await move(voted.battle.id, 'archived');
    const battle = await battleOf(ada, voted.battle.id);
    expect(battle).toMatchObject({ status: 'archived', winnerContenderId: null, closedAt: null });
    const [run] = await ada.db.query<{ status: string }[]>('select status from runs where id = $1', [
      battle.judgingRunId,
    ]);
    expect(run?.status).toBe('canceled');
    expect(await completions(battle.id)).toEqual([]);
    expect(await eventsOf(ada, battle.id)).toEqual([
      'votes.counted 1',
      'status.changed scoring',
      'status.changed archived',
    ]);
  });

  it('counts all votes of two closings at once, once', async () => {
    const voted = await aVotingBattle();
    await vote(voted, 2);
    await move(voted.battle.id, 'scoring');
    const closings = [0, 1, 2].map(() => move(voted.battle.id, 'closed'));
    const outcomes = await Promise.allSettled(closings);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await completions(voted.battle.id)).toHaveLength(1);
    expect(await battleOf(ada, voted.battle.id)).toMatchObject({ voteCount: 1 });
  });
});
