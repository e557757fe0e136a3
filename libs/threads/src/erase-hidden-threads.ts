import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';

/** Empties the threads of the caller that no other account sees: private ones, and those about a run or a deleted object. */
export const eraseHiddenThreads = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const [threads] = await ctx.db.query<[{ id: string }[], number]>(
      `update threads t set title = 'Erased thread'
        where account_id = $1
          and (visibility = 'private' or visibility = 'subject' and (subject_type = 'run'
               or exists (select from lenses l where l.id = t.subject_id and l.deleted_at is not null)
               or exists (select from workflows w where w.id = t.subject_id and w.deleted_at is not null)))
        returning id`,
      [ctx.actor.accountId],
    );
    const ids = threads.map(({ id }) => id);
    await ctx.db.query(
      `delete from thread_message_versions v using thread_messages m where m.id = v.message_id and m.thread_id = any ($1)`,
      [ids],
    );
    await ctx.db.query(
      `update thread_messages set text = '', mentions = '{}', deleted_at = coalesce(deleted_at, $2) where thread_id = any ($1)`,
      [ids, ctx.now()],
    );
  });
