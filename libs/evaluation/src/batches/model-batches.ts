import { type Context, newId } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { wakeExperiment } from '../experiments/wake-experiment.js';
import { BatchCall, ModelBatch } from './batch.entity.js';

/** The most requests and characters of a batch; each provider takes more. */
const limits = { calls: 10_000, characters: 18_000_000 };
/** A group of requests is sent when none was added for so long, or its oldest has waited for so long. */
const quietMs = 5000;
const longestMs = 60_000;

interface Group extends Pick<ModelBatch, 'experimentId' | 'provider' | 'model' | 'byokKeyId'> {
  accountId: string;
}

/** Puts requests that wait into batches, and returns the number of the batches. `paceMs` is how often workers look. */
export async function collectBatches(ctx: Context, paceMs: number): Promise<number> {
  const groups = await ctx.db.query<Group[]>(
    `select b.experiment_id as "experimentId", b.provider, b.model, b.byok_key_id as "byokKeyId", e.account_id as "accountId"
       from batch_calls b join experiments e on e.id = b.experiment_id
      where b.state = 'waiting' and e.status = 'running'
      group by b.experiment_id, b.provider, b.model, b.byok_key_id, e.account_id
     having max(b.created_at) < now() - $1 * interval '1 ms' or min(b.created_at) < now() - $2 * interval '1 ms'
         or count(*) >= $3
      limit 20`,
    [Math.min(quietMs, paceMs), longestMs, limits.calls],
  );
  let collected = 0;
  for (const group of groups) if (await collectBatch(ctx, group)) collected += 1;
  return collected;
}

/** A group is put together by one process at a time. */
function collectBatch(ctx: Context, group: Group): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const { experimentId, accountId, provider, model, byokKeyId } = group;
    const id = newId();
    const waiting = await ctx.db.query<{ runId: string; size: number; completeBy: Date }[]>(
      `select run_id as "runId", octet_length(request::text) as size, complete_by as "completeBy" from batch_calls
        where experiment_id = $1 and provider = $2 and model = $3 and byok_key_id is not distinct from $4
          and state = 'waiting' and complete_by > now()
        order by created_at, run_id limit ${limits.calls} for update skip locked`,
      [experimentId, provider, model, byokKeyId],
    );
    let size = 0;
    const taken = waiting.filter((call, index) => (size += call.size) <= limits.characters || index === 0);
    const [first] = taken;
    if (!first) return false;
    await ctx.db.insert(ModelBatch, {
      id,
      experimentId,
      accountId,
      provider,
      model,
      byokKeyId,
      status: 'created',
      calls: taken.length,
      completeBy: first.completeBy,
    });
    await ctx.db.query(`update batch_calls set state = 'sent', batch_id = $1 where run_id = any ($2)`, [
      id,
      taken.map(({ runId }) => runId),
    ]);
    return true;
  });
}

/** A batch that a worker looks after; its writes count only while no other worker has taken it. */
export interface HeldBatch extends ModelBatch {
  /** False when all its runs have ended or were continued: nothing waits for it. */
  isAwaited: boolean;
  /** True when it was sent so long ago that a service that does not know it never got it. */
  isSentLongAgo: boolean;
  /** True shortly before its requests are sent live. */
  isLate: boolean;
}

/** The share of the time in which a batch is stopped, so that what it has is collected before its requests are sent live. */
const lastShare = 0.1;
const longestLastMs = 600_000;

/** Takes a batch that is due, of a provider that this process can ask. */
export async function takeBatch(
  ctx: Context,
  { providers, leaseMs }: { providers: readonly string[]; leaseMs: number },
): Promise<HeldBatch | undefined> {
  const [[taken]] = await ctx.db.query<[{ id: string }[], number]>(
    `update model_batches set look = look + 1, due_at = now() + $2 * interval '1 ms'
      where id = any (array(select id from model_batches where status <> 'ended' and due_at <= now()
              and (provider = any ($1) or byok_key_id is not null) order by due_at limit 1 for update skip locked))
      returning id`,
    [providers, leaseMs],
  );
  if (!taken) return undefined;
  const batch = await ctx.db.findOneByOrFail(ModelBatch, { id: taken.id });
  const [state] = await ctx.db.query<[Pick<HeldBatch, 'isAwaited' | 'isSentLongAgo' | 'isLate'>]>(
    `select e.status = 'running' and exists (select from batch_calls c where c.batch_id = b.id and not c.is_resumed) as "isAwaited",
            coalesce(b.sent_at < now() - $2 * interval '1 ms', false) as "isSentLongAgo",
            now() > b.complete_by - least($3 * interval '1 ms', $4::float8 * (b.complete_by - b.created_at)) as "isLate"
       from model_batches b join experiments e on e.id = b.experiment_id where b.id = $1`,
    [taken.id, leaseMs, longestLastMs, lastShare],
  );
  return Object.assign(batch, state);
}

/** Writes a change of a batch and the time of its next look; false when another worker has taken it. */
export async function moveBatch(
  { db }: Context,
  { id, look }: HeldBatch,
  {
    inMs = 0,
    ...change
  }: Partial<Pick<ModelBatch, 'status' | 'providerId' | 'error'>> & { sent?: boolean; inMs?: number },
): Promise<boolean> {
  const { sent, ...columns } = change;
  const moved = await db
    .createQueryBuilder()
    .update(ModelBatch)
    .set({
      ...columns,
      ...(sent && { sentAt: () => 'now()' }),
      ...(columns.status === 'ended' && { endedAt: () => 'now()' }),
      dueAt: () => "now() + :inMs * interval '1 ms'",
    })
    .where({ id, look })
    .setParameter('inMs', inMs)
    .execute();
  return moved.affected === 1;
}

/** Holds a batch for longer while it is sent or read. */
export async function holdBatch({ db }: Context, { id, look }: HeldBatch, leaseMs: number): Promise<boolean> {
  const [, held] = await db.query<[unknown, number]>(
    `update model_batches set due_at = now() + $3 * interval '1 ms' where id = $1 and look = $2`,
    [id, look, leaseMs],
  );
  return held === 1;
}

/** The requests of a batch by the ids of their runs. */
export const readCallsOfBatch = ({ db }: Context, batchId: string): Promise<{ runId: string; request: unknown }[]> =>
  db.query(
    `select run_id as "runId", request from batch_calls where batch_id = $1 and state = 'sent' order by run_id`,
    [batchId],
  );

export interface CallOutcome {
  runId: string;
  answer?: unknown;
  error?: string;
}

/** Stores outcomes of requests, each once; those that are sent live already are passed over. */
export async function recordOutcomes(ctx: Context, batchId: string, outcomes: readonly CallOutcome[]): Promise<void> {
  await ctx.db.query(
    `update batch_calls b set state = case when x.error is null then 'answered' else 'failed' end, answer = x.answer,
            error = left(x.error, 500)
       from jsonb_to_recordset($2::jsonb) as x("runId" uuid, answer json, error text)
      where b.run_id = x."runId" and b.batch_id = $1 and b.state = 'sent'`,
    [batchId, toJsonb(outcomes)],
  );
}

/** Ends a batch: requests without an outcome have failed, and its experiment continues. */
export function endBatch(ctx: Context, batch: HeldBatch, error: string | null): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    if (!(await moveBatch(ctx, batch, { status: 'ended', error }))) return;
    const failed = { state: 'failed', error: error ?? 'the batch ended without an answer to it' } as const;
    await ctx.db.update(BatchCall, { batchId: batch.id, state: 'sent' }, failed);
    await wakeExperiment(ctx, batch.experimentId);
  });
}
