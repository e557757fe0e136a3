import type { Message, NewMessageRequest } from '@lensforge/contracts';
import { type Context, DomainError, badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { lockedThread, requireWriter } from '../access.js';
import { requestAnswers } from '../answers/request-answers.js';
import { mentionedIn } from './mentions.js';
import { messageIn, ownMessage } from './message-rows.js';
import { writeMessage } from './write-message.js';

export type MessageOrder = NewMessageRequest & { threadId: string };

/** Posts a message. AI lensers that it mentions are asked for an answer after the commit. */
export function postMessage(ctx: Context, { threadId, text, parentId }: MessageOrder): Promise<Message> {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockedThread(ctx, threadId);
    const { thread, subject } = found;
    const writer = await requireWriter(ctx, found);
    if (parentId !== undefined) await requireParent(ctx, thread.id, parentId);
    const mentioned = await mentionedIn(ctx, text);
    const id = await writeMessage(ctx, thread, {
      authorId: ctx.actor.accountId,
      text,
      parentId: parentId?.toLowerCase() ?? null,
      mentions: mentioned.map((each) => each.id),
    });
    // AI lensers that answer each other could go on forever. An answer in a blind battle would tell who takes part.
    if (writer.kind !== 'agent' && !subject?.isBlind) {
      const agentIds = mentioned.filter(({ isAgent }) => isAgent).map((each) => each.id);
      await requestAnswers(ctx, { threadId: thread.id, messageId: id, agentIds });
    }
    return ownMessage(ctx, thread.id, id);
  });
}

async function requireParent(ctx: Context, threadId: string, parentId: string): Promise<void> {
  const parent = await messageIn(ctx, threadId, parentId).catch((reason: unknown) => {
    if (!(reason instanceof DomainError) || reason.code !== 'NOT_FOUND') throw reason;
    return undefined;
  });
  if (parent?.parentId !== null)
    throw badInput('parentId', 'must be the id of a message of this thread, not of a reply');
  if (parent.status === 'visible') return;
  throw new DomainError('CONFLICT', `The message is ${parent.status}: it takes no replies`, { status: parent.status });
}
