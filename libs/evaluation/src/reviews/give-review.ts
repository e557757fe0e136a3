import type { ItemToReview, NextReview, ReviewGiven, ReviewRequest, ReviewState } from '@lensforge/contracts';
import { type Context, DomainError, badInput, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readEndedRuns, readParamsOfRuns, readRunTargets } from '@lensforge/runs';
import { addScores } from '../scores/run-scores.js';
import { ReviewItemRow, type ReviewQueueRow, ReviewRow } from './review-queue.entity.js';
import { queueToReview } from './review-queues.js';

/** Two reviews that differ by this are decided by a third person. */
const differsBy = 0.5;

/** The next answer that waits for a review of the caller, without a word of where it comes from. */
export async function readNextReview(
  ctx: Context,
  { queueId, after }: { queueId: string; after?: string | undefined },
): Promise<NextReview> {
  const { id } = await queueToReview(ctx, queueId);
  const items = await ctx.db.query<{ id: string; runId: string; waiting: number }[]>(
    `select i.id, i.run_id as "runId", (count(*) over ())::int as waiting from review_items i
      where i.queue_id = $1 and i.state <> 'done'
        and not exists (select from reviews r where r.run_id = i.run_id and r.queue_id = $1 and r.reviewer_id = $2)
      order by $3::uuid is not null and i.id <= $3, i.id limit 1`,
    [id, ctx.actor.accountId, after ?? null],
  );
  const [next] = items;
  return { item: next ? await toItem(ctx, next) : null, waiting: next?.waiting ?? 0 };
}

async function toItem(ctx: Context, { id, runId }: { id: string; runId: string }): Promise<ItemToReview> {
  const [run] = await readEndedRuns(ctx, [runId]);
  const params = await readParamsOfRuns(ctx, [runId]);
  return { id, params: params.get(runId) ?? {}, output: run?.output ?? '' };
}

/** Reviews an answer in the name of the caller, once. The last review gives the run its score. */
export function giveReview(
  ctx: Context,
  { queueId, itemId, ...given }: { queueId: string; itemId: string } & ReviewRequest,
): Promise<ReviewGiven> {
  return inTransaction(ctx, async (ctx) => {
    const queue = await queueToReview(ctx, queueId);
    const score = toScore(queue, given);
    const where = { queueId: queue.id, id: itemId };
    const item = await ctx.db.findOne(ReviewItemRow, { where, lock: { mode: 'pessimistic_write' } });
    if (!item) throw notFound('item of this queue', itemId);
    if (item.state === 'done') throw new DomainError('CONFLICT', 'This answer has its reviews');
    const { runId } = item;
    const before = await ctx.db.findBy(ReviewRow, { runId, queueId: queue.id });
    const reviewerId = ctx.actor.accountId;
    if (before.some((each) => each.reviewerId === reviewerId)) {
      throw new DomainError('CONFLICT', 'You have reviewed this answer');
    }
    const { comment = null, corrected = null } = given;
    const own: ReviewRow = { runId, queueId: queue.id, reviewerId, score, comment, corrected, createdAt: ctx.now() };
    await ctx.db.insert(ReviewRow, own);
    return { state: await conclude(ctx, queue, { item, reviews: [...before, own] }) };
  });
}

/** The score of a review from 0 to 1, by the scale of the queue. */
function toScore({ scale }: ReviewQueueRow, { thumb, mark }: ReviewRequest): number {
  const [wanted, other] = scale === 'verdict' ? (['thumb', 'mark'] as const) : (['mark', 'thumb'] as const);
  const given = { thumb, mark };
  if (given[wanted] === undefined) throw badInput(wanted, `is required in a queue with the scale ${scale}`);
  if (given[other] !== undefined) throw badInput(other, `is not used in a queue with the scale ${scale}`);
  return scale === 'verdict' ? Number(thumb === 'up') : ((mark ?? 1) - 1) / 4;
}

/** Ends an item that has its reviews, and gives its run the score. */
async function conclude(
  ctx: Context,
  { id: queueId, name, perItem }: ReviewQueueRow,
  { item: { runId }, reviews }: { item: ReviewItemRow; reviews: readonly ReviewRow[] },
): Promise<ReviewState> {
  const scores = reviews.map(({ score }) => score).sort((one, other) => one - other);
  if (scores.length < perItem) return 'open';
  const [low = 0, middle = low, high = middle] = scores;
  if (scores.length === 2 && high - low >= differsBy) {
    await ctx.db.update(ReviewItemRow, { runId, queueId }, { state: 'tied' });
    return 'tied';
  }
  const score = scores.length === 2 ? (low + high) / 2 : scores.length === 3 ? middle : low;
  await ctx.db.update(ReviewItemRow, { runId, queueId }, { state: 'done', score });
  const [run] = await readRunTargets(ctx, [runId]);
  // Comments stay with the people who wrote them, whose accounts may be closed.
  if (run) await addScores(ctx, [{ run, score: { name, source: 'review', score, reason: null } }]);
  return 'done';
}
