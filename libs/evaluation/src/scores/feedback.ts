import { createHash, randomBytes } from 'node:crypto';
import { type FeedbackKey, feedbackName } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction, isRevoked } from '@lensforge/database';
import { readRunTargets } from '@lensforge/runs';
import { IsNull, MoreThan } from 'typeorm';
import { FeedbackKeyRow } from './run-score.entity.js';
import { type GivenScore, addScores, readScore, scorableRun } from './run-scores.js';

const validMs = 3_600_000;
const keyPattern = /^lf_fb_[0-9a-f]{64}$/;

/** Creates a key that gives a run of the caller one score. It expires no later than the credential of the caller. */
export async function createFeedbackKey(ctx: Context, runId: string): Promise<FeedbackKey> {
  const run = await scorableRun(ctx, runId);
  const key = `lf_fb_${randomBytes(32).toString('hex')}`;
  const now = ctx.now();
  const { until } = ctx.actor.credential;
  const expiresAt = new Date(Math.min(now.getTime() + validMs, until === undefined ? Infinity : until * 1000));
  await ctx.db.insert(FeedbackKeyRow, {
    hash: hashOf(key),
    runId: run.runId,
    madeBy: ctx.actor,
    expiresAt,
    usedAt: null,
  });
  return { runId: run.runId, key, expiresAt: expiresAt.toISOString() };
}

/** Gives a run the score of an end user, who has a key for it. */
export async function giveFeedback(
  ctx: Context,
  { runId, key, ...given }: { runId: string; key: string } & GivenScore,
): Promise<void> {
  const score = readScore(given);
  if (!keyPattern.test(key)) throw notValid();
  const hash = hashOf(key);
  await inTransaction(ctx, async (ctx) => {
    const found = await ctx.db.findOneBy(FeedbackKeyRow, { hash, runId, expiresAt: MoreThan(ctx.now()) });
    if (!found || (await isRevoked({ ...ctx, actor: found.madeBy }))) throw notValid();
    const { affected } = await ctx.db.update(FeedbackKeyRow, { hash, usedAt: IsNull() }, { usedAt: ctx.now() });
    if (affected === 0) throw new DomainError('CONFLICT', 'This key has given its score already');
    const [run] = await readRunTargets(ctx, [runId]);
    if (!run) throw notValid();
    const stored = { name: feedbackName, source: 'end_user', score, reason: given.comment ?? null } as const;
    await addScores(ctx, [{ run, score: stored }]);
  });
}

/** Deletes keys that have expired. */
export async function deleteExpiredFeedbackKeys({ db }: Context): Promise<void> {
  await db.query('delete from feedback_keys where expires_at < now()');
}

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

const notValid = (): DomainError =>
  new DomainError(
    'UNAUTHENTICATED',
    'The key is not valid for this run or has expired: make one with POST /v1/runs/{runId}/feedback-key',
  );
