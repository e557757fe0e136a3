import type { Message, NewThreadRequest, Thread } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { createThread, postMessage } from './index.js';

/** Creates a thread of the caller, public unless it has a subject. */
export const aThread = (ctx: Context, traits: Partial<NewThreadRequest> = {}): Promise<Thread> =>
  createThread(ctx, {
    title: 'A thread',
    ...(traits.subjectId === undefined && { visibility: 'public' }),
    ...traits,
  });

export const aMessage = (
  ctx: Context,
  { id: threadId }: Pick<Thread, 'id'>,
  { text = 'Hello', parentId }: { text?: string; parentId?: string } = {},
): Promise<Message> => postMessage(ctx, { threadId, text, ...(parentId !== undefined && { parentId }) });
