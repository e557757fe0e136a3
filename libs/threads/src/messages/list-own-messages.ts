import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';

export interface OwnMessage {
  id: string;
  threadId: string;
  parentId: string | null;
  text: string;
  createdAt: string;
  editedAt: string | null;
}

/** Lists the messages of the caller in all threads, newest first, without deleted ones. */
export async function listOwnMessages(
  ctx: Context,
  { limit, offset = 0, cursor }: PageRequest,
): Promise<Page<OwnMessage>> {
  const rows = await ctx.db.query<OwnMessage[]>(
    `select id, thread_id as "threadId", parent_id as "parentId", text, iso(created_at) as "createdAt",
            iso(edited_at) as "editedAt"
       from thread_messages
      where author_account_id = $1 and deleted_at is null and ($2::uuid is null or id < $2)
      order by id desc limit $3 offset $4`,
    [ctx.actor.accountId, cursor === undefined ? null : decodeCursor(cursor).id, limit + 1, offset],
  );
  return toPage(rows, { limit, offset }, cursorOfRow);
}
