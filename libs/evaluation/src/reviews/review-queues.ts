import type { ReviewQueue, ReviewQueueCreate, ReviewQueueRemoved } from '@lensforge/contracts';
import {
  type Context,
  DomainError,
  type Page,
  type PageRequest,
  badInput,
  cursorOfRow,
  decodeCursor,
  newId,
  notFound,
  requireScope,
  toPage,
} from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import { administeredAccounts, readReviewers } from '@lensforge/identity';
import { ReviewItemRow, ReviewQueueRow, ReviewRow } from './review-queue.entity.js';

const maxQueues = 100;
const usualPerItem = 2;

/** Creates a queue in which people review answers of the caller's runs. */
export async function createReviewQueue(ctx: Context, order: ReviewQueueCreate): Promise<ReviewQueue> {
  requireScope(ctx, 'lenses:write');
  const { accountId } = ctx.actor;
  const { name, instructions = null, scale, compareWith = null } = order;
  const reviewers = (await readReviewers(ctx, order.reviewers)) ?? null;
  const perItem = order.perItem ?? (reviewers?.length === 1 ? 1 : usualPerItem);
  if (reviewers && reviewers.length < perItem) {
    throw badInput('perItem', `is ${perItem}, and the queue has ${reviewers.length} reviewers`);
  }
  return inTransaction(ctx, async (ctx) => {
    const limit = { what: 'review queues', accountId, max: maxQueues };
    await requireBelowLimit(ctx, { ...limit, from: 'review_queues where account_id = $1' });
    const id = newId();
    const rows = await ctx.db.query<unknown[]>(
      `insert into review_queues (id, account_id, name, instructions, scale, reviewers, per_item, compare_with, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (account_id, name) do nothing returning id`,
      [id, accountId, name, instructions, scale, reviewers, perItem, compareWith, ctx.now()],
    );
    if (rows.length === 0) {
      throw new DomainError('CONFLICT', `You have a review queue with the name ${name}: choose another one`);
    }
    return readReviewQueue(ctx, id);
  });
}

/** A queue of the caller, or one that the caller reviews. */
export async function readReviewQueue(ctx: Context, queueId: string): Promise<ReviewQueue> {
  requireScope(ctx, 'lenses:read');
  const [found] = await select(ctx, { condition: 'q.id = $3', parameters: [queueId] });
  if (!found) throw notFound('review queue', queueId);
  return found;
}

/** The queues of the caller and those that the caller reviews, the newest first. */
export async function listReviewQueues(ctx: Context, page: PageRequest): Promise<Page<ReviewQueue>> {
  requireScope(ctx, 'lenses:read');
  const { limit, offset = 0, cursor } = page;
  const rows = await select(ctx, {
    condition: '($3::uuid is null or q.id < $3)',
    parameters: [cursor === undefined ? null : decodeCursor(cursor).id],
    page: `order by q.id desc limit ${limit + 1} offset ${offset}`,
  });
  return toPage(rows, page, cursorOfRow);
}

/** Deletes a queue of the caller with its reviews. */
export function removeReviewQueue(ctx: Context, queueId: string): Promise<ReviewQueueRemoved> {
  return inTransaction(ctx, async (ctx) => {
    const { id } = await ownQueue(ctx, queueId, 'lenses:write');
    await ctx.db.delete(ReviewRow, { queueId: id });
    await ctx.db.delete(ReviewItemRow, { queueId: id });
    await ctx.db.delete(ReviewQueueRow, { id });
    return { queueId: id, removed: true };
  });
}

/** A review that the caller has given. */
export interface OwnReview {
  queueId: string;
  score: number;
  comment: string | null;
  corrected: string | null;
  createdAt: string;
}

/** The reviews that the caller has given, in queues of anyone, the newest first. */
export async function listOwnReviews(ctx: Context, page: PageRequest): Promise<Page<OwnReview>> {
  const { limit, offset = 0, cursor } = page;
  const rows = await ctx.db.query<(OwnReview & { id: string })[]>(
    `select i.id, queue_id as "queueId", r.score, r.comment, r.corrected, iso(r.created_at) as "createdAt"
       from reviews r join review_items i using (run_id, queue_id)
      where r.reviewer_id = $1 and ($2::uuid is null or i.id < $2) order by i.id desc limit $3 offset $4`,
    [ctx.actor.accountId, cursor === undefined ? null : decodeCursor(cursor).id, limit + 1, offset],
  );
  const { items, ...rest } = toPage(rows, page, cursorOfRow);
  return { ...rest, items: items.map(({ id: _, ...review }) => review) };
}

/** Deletes the queues of the caller, whose account is closed, and the texts of their reviews for others. */
export async function eraseReviews(ctx: Context): Promise<void> {
  const { accountId } = ctx.actor;
  await ctx.db.query('delete from reviews where queue_id in (select id from review_queues where account_id = $1)', [
    accountId,
  ]);
  await ctx.db.query(
    'delete from review_items where queue_id in (select id from review_queues where account_id = $1)',
    [accountId],
  );
  await ctx.db.delete(ReviewQueueRow, { accountId });
  await ctx.db.update(ReviewRow, { reviewerId: accountId }, { comment: null, corrected: null });
}

/** A queue of the caller; NOT_FOUND for those of others, also when the caller reviews them. */
export async function ownQueue(
  ctx: Context,
  queueId: string,
  scope: 'lenses:read' | 'lenses:write',
): Promise<ReviewQueueRow> {
  requireScope(ctx, scope);
  const found = await ctx.db.findOneBy(ReviewQueueRow, { id: queueId, accountId: ctx.actor.accountId });
  if (!found) throw notFound('review queue', queueId);
  return found;
}

/** A queue that the caller may review; FORBIDDEN for the caller's own without them among the reviewers. */
export async function queueToReview(ctx: Context, queueId: string): Promise<ReviewQueueRow> {
  const { canReview } = await readReviewQueue(ctx, queueId);
  if (!canReview) throw new DomainError('FORBIDDEN', 'You are not among the reviewers of this queue');
  return ctx.db.findOneByOrFail(ReviewQueueRow, { id: queueId });
}

/** Reviewers are people: those who are named, or the owners and admins of the community. */
const isReviewer = `(q.reviewers @> array[$1::uuid] or q.reviewers is null and q.account_id = any ($2) and q.account_id <> $1)`;

async function select(
  ctx: Context,
  { condition, parameters, page = '' }: { condition: string; parameters: unknown[]; page?: string },
): Promise<ReviewQueue[]> {
  const { accountId } = ctx.actor;
  const rows = await ctx.db.query<(ReviewQueue & { createdAt: string })[]>(
    `select q.id, q.name, q.instructions, q.scale, q.per_item as "perItem", q.compare_with as "compareWith",
            q.account_id = $1 as "isOwn", ${isReviewer} as "canReview", i.items, i.done,
            case when ${isReviewer} then i.waiting else 0 end as waiting, iso(q.created_at) as "createdAt"
       from review_queues q,
            lateral (select count(*)::int as items, (count(*) filter (where state = 'done'))::int as done,
                            (count(*) filter (where state <> 'done' and not exists (
                                select from reviews r where r.run_id = x.run_id and r.queue_id = q.id and r.reviewer_id = $1)))::int as waiting
                       from review_items x where x.queue_id = q.id) i
      where (q.account_id = $1 or ${isReviewer}) and ${condition} ${page}`,
    [accountId, await administeredAccounts(ctx), ...parameters],
  );
  return rows;
}
