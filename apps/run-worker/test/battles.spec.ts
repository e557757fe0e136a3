import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { castVote, executeBattle, readBattle } from '@lensforge/battles';
import { aBattle, aContender } from '@lensforge/battles/testing';
import { battleChannel } from '@lensforge/contracts';
import { actingAs, anAccount, anAiLenser } from '@lensforge/identity/testing';
import { createSubscriber } from '@lensforge/queue';
import { testRedisUrl, until } from '@lensforge/testing';
import type { WorkerSetup } from './worker-setup.js';
import { aWorkerSetup } from './worker-setup.js';

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
    const subscriber = createSubscriber({ redisUrl: testRedisUrl(), prefix });
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
});
