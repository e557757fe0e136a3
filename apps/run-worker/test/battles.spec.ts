import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { castVote, executeBattle, readBattle, readBattleEvents, readBattleScore } from '@lensforge/battles';
import { aBattle, aContender } from '@lensforge/battles/testing';
import { battleChannel } from '@lensforge/contracts';
import { actingAs, anAccount, anAiLenser } from '@lensforge/identity/testing';
import { createSubscriber } from '@lensforge/queue';
import { testRedisUrl, until } from '@lensforge/testing';
import { type WorkerSetup, aWorkerSetup } from './worker-setup.js';

let setup: WorkerSetup;
beforeAll(async () => {
  setup = await aWorkerSetup();
  await setup.start();
});
afterAll(() => setup.close());

describe('a run-worker', () => {
  it('writes the answers of a battle, starts its vote, counts the votes and publishes each event', async () => {
    const { ctx, prefix } = setup;
    const battle = await aBattle(ctx, { status: 'open' });
    const owner = actingAs(ctx, (await anAccount(ctx)).id);
    for (let n = 0; n < 2; n += 1) {
      const { id: lenserAccountId } = await anAiLenser(owner);
      const ownerAccountId = owner.actor.accountId;
      await aContender(ctx, battle, { contenderType: 'ai_model', lenserAccountId, ownerAccountId });
    }
    const subscriber = createSubscriber({ server: testRedisUrl(), prefix });
    const published: number[] = [];
    await subscriber.subscribe(battleChannel(battle.id), {
      onMessage: (message) => published.push(Number(message)),
      onGap: () => undefined,
    });
    await executeBattle(ctx, { battleId: battle.id, timeoutMs: 60_000 });
    await until(async () => (await readBattle(ctx, battle.id)).status === 'voting');
    const { submissions } = await readBattle(ctx, battle.id);
    expect(submissions).toHaveLength(2);
    for (const { contentText, runId } of submissions) {
      expect(contentText).toContain('haiku');
      expect(runId).not.toBeNull();
    }
    const voter = actingAs(ctx, (await anAccount(ctx)).id);
    await castVote(voter, { battleId: battle.id, tie: true });
    await until(async () => (await readBattle(ctx, battle.id)).votes === 1);
    // The first event, of the execution, is recorded by the process of the test.
    await until(() => published.length >= 4);
    await subscriber.close();
    expect(published).toEqual([2, 3, 4, 5]);
  });

  it('sends the instructions of an agent to the provider, and stores them nowhere in the account of the creator', async () => {
    const { ctx } = setup;
    const creator = actingAs(ctx, (await anAccount(ctx)).id);
    const battle = await aBattle(creator, { status: 'open' });
    const script = [{ say: 'Written by the rules of the owner.' }];
    const instructions = `A recipe that no other account may read.\n@offline ${JSON.stringify({ script })}`;
    const owner = actingAs(ctx, (await anAccount(ctx)).id);
    const { id: lenserAccountId } = await anAiLenser(owner, { instructions });
    const ofOwner = { contenderType: 'ai_agent', lenserAccountId, ownerAccountId: owner.actor.accountId } as const;
    await aContender(creator, battle, ofOwner);
    await executeBattle(creator, { battleId: battle.id, timeoutMs: 60_000 });
    await until(async () => (await readBattle(creator, battle.id)).submissions.length === 1);
    const [submission] = (await readBattle(creator, battle.id)).submissions;
    expect(submission?.contentText).toBe('Written by the rules of the owner.');
    const tables = await ctx.db.query<{ name: string }[]>(
      `select table_name as name from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await ctx.db.query<unknown[]>(`select 1 from "${name}" t where strpos(t::text, 'A recipe') > 0`);
      if (rows.length > 0) found.push(name);
    }
    expect(found).toEqual(['ai_lensers']);
  });

  it('judges a battle as soon as its answers are written', async () => {
    const { ctx } = setup;
    const battle = await aBattle(ctx, { status: 'open', judgingMode: 'ai_judge' });
    for (let n = 0; n < 2; n += 1) await aContender(ctx, battle, { contenderType: 'ai_model' });
    await executeBattle(ctx, { battleId: battle.id, timeoutMs: 60_000 });
    await until(async () => (await readBattle(ctx, battle.id)).judging?.status === 'succeeded');
    expect(await readBattle(ctx, battle.id)).toMatchObject({ status: 'scoring', judging: { judged: 2, total: 2 } });
    const { aiJudgeVerdicts } = await readBattleScore(ctx, battle.id);
    // Both contenders echo the same prompt.
    expect(aiJudgeVerdicts).toMatchObject([{ verdict: '0 wins, 1 tie, 0 losses', score: 0.5 }, { score: 0.5 }]);
    await until(async () => (await readBattleEvents(ctx, battle.id, 0, 100)).at(-1)?.eventType === 'judging.progress');
    const events = await readBattleEvents(ctx, battle.id, 0, 100);
    expect(events.at(-1)?.payload).toEqual({ judged: 2, total: 2 });
  });
});
