import type { MessageAnswer, MessageDetail, MessageVersion } from '@lensforge/contracts';
import { type Context, isServiceRole } from '@lensforge/core';
import { readableThread } from '../access.js';
import type { MessageRef } from './delete-message.js';
import { readViewer } from './list-messages.js';
import { lenser, messageIn, messageView } from './message-rows.js';

/** Reads a message with its earlier texts and the answers of AI lensers that it mentions. */
export async function readMessage(ctx: Context, { threadId, messageId }: MessageRef): Promise<MessageDetail> {
  const found = await readableThread(ctx, threadId);
  const row = await messageIn(ctx, found.thread.id, messageId);
  const message = messageView(row, await readViewer(ctx, found, [row]));
  return {
    ...message,
    history: message.text === null ? [] : await earlierTexts(ctx, message.id),
    answers: await answersTo(ctx, message.id),
  };
}

const earlierTexts = ({ db }: Context, messageId: string): Promise<MessageVersion[]> =>
  db.query(
    `select version, text, iso(written_at) as "writtenAt" from thread_message_versions where message_id = $1 order by version`,
    [messageId],
  );

/** The run and the reason are for the owner of the AI lenser. */
const answersTo = (ctx: Context, messageId: string): Promise<MessageAnswer[]> =>
  ctx.db.query(
    `select ${lenser('a')} as agent, t.status, t.answer_message_id as "messageId",
            case when $3 or a.owner_account_id = $2 then t.run_id end as "runId",
            case when $3 or a.owner_account_id = $2 then t.reason end as reason
       from thread_answers t join accounts a on a.id = t.agent_account_id where t.message_id = $1 order by a.handle`,
    [messageId, ctx.actor.accountId, isServiceRole(ctx)],
  );
