import type { Message } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, decodeOffset, encodeOffset, toPage } from '@lensforge/core';
import { type ReadableThread, moderates, readableThread } from '../access.js';
import { type MessageRow, type MessageViewer, messageView, messagesWhere } from './message-rows.js';

export interface MessageFilter extends PageRequest {
  threadId: string;
  parentId?: string | undefined;
  order?: 'oldest' | 'newest' | undefined;
}

/** Lists messages by their position, which no later message changes. */
export async function listMessages(ctx: Context, filter: MessageFilter): Promise<Page<Message>> {
  const { threadId, parentId, order = 'oldest', limit, offset = 0, cursor } = filter;
  const position = cursor === undefined ? null : decodeOffset(cursor);
  const found = await readableThread(ctx, threadId);
  const [sign, direction] = order === 'oldest' ? ['>', 'asc'] : ['<', 'desc'];
  const rows = await ctx.db.query<MessageRow[]>(
    `${messagesWhere} m.thread_id = $1 ${position === null ? '' : `and m.position ${sign} ${position}`}
        ${parentId === undefined ? '' : 'and m.parent_id = $4'}
      order by m.position ${direction} limit $2 offset $3::bigint`,
    [found.thread.id, limit + 1, offset, ...(parentId === undefined ? [] : [parentId])],
  );
  const viewer = await readViewer(ctx, found, rows);
  const { items, ...page } = toPage(rows, { limit, offset }, (row) => encodeOffset(row.position));
  return { ...page, items: items.map((row) => messageView(row, viewer)) };
}

/** Roles are read only for messages that depend on them. */
export async function readViewer(
  ctx: Context,
  found: ReadableThread,
  rows: readonly MessageRow[],
): Promise<MessageViewer> {
  const { accountId } = ctx.actor;
  const depends = rows.some(({ status, author }) => status === 'hidden' && author.id !== accountId);
  return { accountId, moderates: depends && (await moderates(ctx, found)) };
}
