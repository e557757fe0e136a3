import type { Message, MessageAuthor } from '@lensforge/contracts';
import { type Context, notFound } from '@lensforge/core';

export interface MessageRow extends Omit<Message, 'text'> {
  text: string;
  /** The owner of an AI lenser that wrote the message. */
  authorOwnerId: string | null;
}

/** SQL expression for a lenser from a row of `accounts`. */
export const lenser = (
  account: string,
): string => `jsonb_build_object('id', ${account}.id, 'handle', ${account}.handle, 'displayName', ${account}.display_name,
  'kind', case ${account}.kind when 'agent' then 'ai' when 'person' then 'human' else ${account}.kind end)`;

/** SQL query for messages `m`; a condition follows. */
export const messagesWhere = `
  select m.id, m.thread_id as "threadId", m.position, m.parent_id as "parentId", ${lenser('a')} as author,
         a.owner_account_id as "authorOwnerId",
         case when m.deleted_at is not null then 'deleted' when m.hidden_at is not null then 'hidden' else 'visible' end as status,
         m.text, m.version,
         case when m.mentions = '{}' then '[]'
              else (select jsonb_agg(${lenser('n')} order by n.handle) from accounts n where n.id = any (m.mentions)) end as mentions,
         iso(m.created_at) as "createdAt", iso(m.edited_at) as "editedAt"
    from thread_messages m join accounts a on a.id = m.author_account_id where `;

export interface MessageViewer {
  accountId: string | null;
  moderates: boolean;
}

/** All readers of an event see the same. */
export const noViewer: MessageViewer = { accountId: null, moderates: false };

/** A message as its viewer may see it: a hidden text is for its author and for moderators. */
export function messageView({ authorOwnerId: _, ...row }: MessageRow, viewer: MessageViewer): Message {
  const seesHidden = viewer.moderates || row.author.id === viewer.accountId;
  const isReadable = row.status === 'visible' || (row.status === 'hidden' && seesHidden);
  return isReadable ? row : { ...row, text: null, mentions: [] as MessageAuthor[] };
}

/** A message of the thread; NOT_FOUND otherwise. */
export async function messageIn({ db }: Context, threadId: string, messageId: string): Promise<MessageRow> {
  const [found] = await db.query<MessageRow[]>(`${messagesWhere} m.id = $1 and m.thread_id = $2`, [
    messageId,
    threadId,
  ]);
  if (!found) throw notFound('message', messageId);
  return found;
}

export async function messagesByIds({ db }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, MessageRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<MessageRow[]>(`${messagesWhere} m.id = any ($1)`, [[...new Set(ids)]]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The message as the caller, who may see its thread, gets it after a change. */
export const ownMessage = async (ctx: Context, threadId: string, messageId: string): Promise<Message> =>
  messageView(await messageIn(ctx, threadId, messageId), { accountId: ctx.actor.accountId, moderates: false });
