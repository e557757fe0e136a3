import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { estimateTokens } from '@lensforge/lenses';
import { type RunsDatabase, openRunsDatabase } from '../../test/runs-database.js';
import { type PromptRunOrder, acceptPromptRun, claimRuns, readRun } from '../index.js';
import { Run } from '../run.entity.js';

let database: RunsDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await openRunsDatabase();
  ({ ctx } = database);
});
afterAll(async () => {
  expect(await database.faults()).toEqual([]);
  await database.close();
});

const battle = { kind: 'battle', battleId: newId(), contenderId: newId() };
const accept = (more: Partial<PromptRunOrder> = {}, who = ctx) =>
  acceptPromptRun(who, { prompt: 'Name a city', timeoutMs: 60_000, cause: battle, ...more });
const load = (id: string) => database.source.manager.findOneByOrFail(Run, { id });

describe('acceptPromptRun', () => {
  it('writes the run with its model, cause, first event and job', async () => {
    const outputSchema = { type: 'object' };
    const labels = { tags: ['a', 'a', 'b'], metadata: { round: 1 } };
    const { runId, status, isNew } = await accept({ ...labels, outputSchema, sampling: { maxOutputTokens: 7 } });
    expect([status, isNew]).toEqual(['queued', true]);
    expect(await load(runId)).toMatchObject({
      kind: 'prompt',
      accountId: ctx.actor.accountId,
      requestId: ctx.requestId,
      lensId: null,
      lensVersionId: null,
      workflowId: null,
      params: { prompt: 'Name a city' },
      cause: battle,
      tags: ['a', 'b'],
      metadata: { round: 1 },
      outputSchema,
      sampling: { maxOutputTokens: 7 },
      executionMs: 60_000,
      creditHold: '0',
      billingStatus: 'none',
    });
    expect(await readRun(ctx, runId)).toMatchObject({
      kind: 'prompt',
      origin: 'battle',
      lensId: null,
      modelKey: 'echo',
    });
    expect(await database.typesOf(runId)).toEqual(['run.queued']);
    expect(database.changes.takeJob(runId)).toMatchObject({ job: 'run.execute', jobId: `${runId}-g0` });
    const [claimed] = await claimRuns(database.platform, [{ runId, generation: 0, worker: 'w', leaseMs: 1000 }]);
    expect(claimed).toMatchObject({ kind: 'prompt', params: { prompt: 'Name a city' }, sponsoredLensId: null });
  });

  it.each([
    ['Chinese', '我们今天去公园散步，然后吃了一顿非常好吃的午饭。'],
    ['Amharic', 'ዛሬ ወደ መናፈሻ ሄድን ከዚያም ጣፋጭ ምሳ በላን። '],
  ])('holds a credit for each token of a prompt in %s, besides the answer', async (_, words) => {
    for (const prompt of [words, words.repeat(300)]) {
      const { runId } = await accept({ prompt, modelKey: database.pricey.key });
      const tokens = await estimateTokens(prompt);
      expect(Number((await load(runId)).creditHold)).toBeGreaterThanOrEqual(Math.floor(tokens * 0.97) + 100);
    }
  });

  it('holds the maximum cost of the prompt', async () => {
    const who = await database.anAccount(1000);
    const prompt = 'x'.repeat(400);
    const { runId } = await accept({ prompt, modelKey: database.pricey.key }, who);
    // A token for each four characters, and at most 100 tokens for the answer.
    expect(await load(runId)).toMatchObject({ creditHold: '200', billingStatus: 'reserved' });
    expect(await database.typesOf(runId)).toEqual(['run.queued', 'credits.reserved']);
    const tooMuch = { modelKey: database.pricey.key, maxCredits: 50 };
    await expect(accept(tooMuch, who)).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    const poor = await database.anAccount(50);
    const before = await database.rowsIn('runs');
    await expect(accept({ modelKey: database.pricey.key }, poor)).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    });
    expect(await database.rowsIn('runs')).toBe(before);
  });

  it('starts one run for requests with one key, and refuses another request under it', async () => {
    const idempotencyKey = newId();
    const accepted = await Promise.all(Array.from({ length: 10 }, () => accept({ idempotencyKey })));
    expect(new Set(accepted.map(({ runId }) => runId)).size).toBe(1);
    expect(accepted.filter(({ isNew }) => isNew)).toHaveLength(1);
    await expect(accept({ idempotencyKey, prompt: 'Name a river' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    const other = await accept({ idempotencyKey }, await database.anAccount());
    expect(other.isNew).toBe(true);
  });

  it.each<[string, Partial<PromptRunOrder>, RegExp]>([
    ['an unknown model', { modelKey: 'none' }, /there is no model none/],
    ['an invalid output schema', { outputSchema: { type: 'nothing' } }, /outputSchema/],
    ['the credits of a sponsor', { fundingSource: 'sponsored' }, /sponsored is for lenses/],
    ['a local runner', { fundingSource: 'user_byok_local' }, /user_byok_local is for lenses/],
    ['a key that does not exist', { fundingSource: 'user_byok_cloud', byokKeyRefId: newId() }, /byokKeyRefId/],
  ])('refuses %s', async (_, more, message) => {
    await expect(accept(more)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringMatching(message) });
  });

  it('needs the scope community:write', async () => {
    const reader = { ...ctx, actor: { ...ctx.actor, scopes: ['community:read' as const, 'lenses:write' as const] } };
    await expect(accept({}, reader)).rejects.toMatchObject({ details: { scope: 'community:write' } });
  });
});
