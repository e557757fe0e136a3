import { randomInt } from 'node:crypto';
import type { CasesFromReviews, DatasetChange, ReviewItem, ReviewItemsAdded, RunSelection } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  badInput,
  decodeKey,
  encodeKey,
  isUuid,
  newId,
  toPage,
} from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { readEndedRuns, readParamsOfRuns, readRunTargets } from '@lensforge/runs';
import { changeCases } from '../change-cases.js';
import { maskPersonalData } from '../mask-personal-data.js';
import { selectRuns } from '../scores/select-runs.js';
import { ownQueue } from './review-queues.js';

export interface ItemsOrder {
  queueId: string;
  runIds?: readonly string[] | undefined;
  filter?: RunSelection | undefined;
}

/** Puts answers of the caller's runs into a queue, each once and in a random order. */
export async function addReviewItems(ctx: Context, { queueId, runIds, filter }: ItemsOrder): Promise<ReviewItemsAdded> {
  const { id } = await ownQueue(ctx, queueId, 'lenses:write');
  if ((runIds === undefined) === (filter === undefined)) {
    throw badInput('runIds', 'or a filter is required, and one of them only');
  }
  const wrong = runIds?.findIndex((runId) => !isUuid(runId)) ?? -1;
  if (wrong >= 0) throw badInput(`runIds.${wrong}`, 'is no UUID');
  const wanted = runIds ?? (await selectRuns(ctx, { status: 'succeeded', ...filter }));
  const own = new Map((await readRunTargets(ctx, wanted)).map((run) => [run.runId, run]));
  const foreign = runIds?.findIndex((runId) => own.get(runId.toLowerCase())?.accountId !== ctx.actor.accountId) ?? -1;
  if (foreign >= 0) throw badInput(`runIds.${foreign}`, 'is no run of a lens or workflow of yours');
  const answered = (await readEndedRuns(ctx, [...own.keys()])).filter(
    ({ status, output }) => status === 'succeeded' && output !== null,
  );
  const shuffled = answered
    .map(({ runId }) => ({ runId, at: randomInt(2 ** 40) }))
    .sort((one, other) => one.at - other.at)
    .map(({ runId }) => ({ runId, id: newId() }));
  const rows = await ctx.db.query<unknown[]>(
    `insert into review_items (run_id, queue_id, id, state)
     select x."runId", $1, x.id, 'open' from jsonb_to_recordset($2::jsonb) as x("runId" uuid, id uuid)
     on conflict do nothing returning id`,
    [id, toJsonb(shuffled)],
  );
  return { added: rows.length };
}

/** Lists the items of a queue of the caller, the newest first. */
export async function listReviewItems(
  ctx: Context,
  { queueId, ...page }: { queueId: string } & PageRequest,
): Promise<Page<ReviewItem>> {
  const { id } = await ownQueue(ctx, queueId, 'lenses:read');
  const { limit, offset = 0, cursor } = page;
  const rows = await ctx.db.query<ReviewItem[]>(
    `select i.id, i.run_id as "runId", i.state, i.score,
            (select count(*)::int from reviews r where r.run_id = i.run_id and r.queue_id = $1) as reviews,
            ${newestCorrection} as corrected,
            coalesce((select array_agg(r.comment order by r.created_at) from reviews r
                       where r.run_id = i.run_id and r.queue_id = $1 and r.comment is not null), '{}') as comments
       from review_items i where i.queue_id = $1 and ($2::uuid is null or i.id < $2)
      order by i.id desc limit $3 offset $4`,
    [id, cursor === undefined ? null : decodeItem(cursor), limit + 1, offset],
  );
  return toPage(rows, page, (item) => encodeKey(item.id));
}

const decodeItem = (cursor: string): string => {
  const id = decodeKey(cursor);
  if (!isUuid(id)) throw badInput('cursor', 'must be the meta.nextCursor of an earlier page of this list');
  return id;
};

const newestCorrection = `(select r.corrected from reviews r
   where r.run_id = i.run_id and r.queue_id = $1 and r.corrected is not null order by r.created_at desc limit 1)`;

/** Makes cases of the corrected answers of a queue of the caller. */
export async function addCasesFromReviews(
  ctx: Context,
  { queueId, datasetId, tags = [], mask = false }: { queueId: string } & CasesFromReviews,
): Promise<DatasetChange> {
  const { id, name } = await ownQueue(ctx, queueId, 'lenses:write');
  const rows = await ctx.db.query<{ runId: string; corrected: string }[]>(
    `select * from (select i.run_id as "runId", ${newestCorrection} as corrected from review_items i where i.queue_id = $1) x
      where corrected is not null order by "runId" limit 1000`,
    [id],
  );
  const params = await readParamsOfRuns(
    ctx,
    rows.map(({ runId }) => runId),
  );
  const save = rows.map(({ runId, corrected }) => {
    const content = { params: params.get(runId) ?? {}, expected: corrected };
    return { key: runId, tags, ...(mask ? (maskPersonalData(content) as typeof content) : content) };
  });
  return changeCases(ctx, { datasetId, save, message: `Corrected in the review queue ${name}` });
}
