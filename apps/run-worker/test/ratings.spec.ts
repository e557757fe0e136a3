import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { listLeaderboard, setBattleStatus } from '@lensforge/battles';
import { aPublishedBattle } from '@lensforge/battles/testing';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { freshRedisPrefix, serviceSettings, until } from '@lensforge/testing';
import { type WorkerProcess, aProcess, build } from './worker-process.js';

let database: TestDatabase;
let ctx: Context;
let workers: WorkerProcess[] = [];

beforeAll(async () => {
  await build();
  database = await openTestDatabase();
  const { id } = await anAccount(database.ctx);
  ctx = actingAs(database.ctx, id);
});
afterEach(() => workers.forEach((worker) => worker.kill('SIGKILL')));
afterAll(() => database.close());

const start = (settings: Record<string, string>): Promise<WorkerProcess> =>
  aProcess({ ...serviceSettings(database.url, freshRedisPrefix()), ...settings });

it('one of several workers refits the leaderboards after battles are published, once for all of them', async () => {
  workers = await Promise.all([1, 2].map(() => start({ LENSFORGE_RATINGS_DELAY_MS: '2000' })));
  const key = { battleType: 'ai_vs_ai', source: 'votes', covariates: 'style', limit: 10 } as const;
  for (const votes of [[[['Ada'], ['Ben']]], [[['Ada', 'Ben']]]]) {
    const { battle } = await aPublishedBattle(ctx, ['Ada', 'Ben'], { status: 'closed', votes });
    await setBattleStatus(ctx, { battleId: battle.id, status: 'published' });
  }
  const refits = () => workers.flatMap(({ lines }) => lines).filter(({ msg }) => String(msg).includes('refitted'));
  await until(async () => (await listLeaderboard(ctx, key)).total === 4 && refits().length > 0);
  for (const worker of workers) worker.kill('SIGTERM');
  expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0]);
  expect(refits()).toMatchObject([{ battleType: 'ai_vs_ai', attempt: 1 }]);
});
