import type { Thread } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readableThread } from './access.js';
import { threadColumns } from './thread-rows.js';

/** Reads a thread that the caller may see. */
export async function readThread(ctx: Context, threadId: string): Promise<Thread> {
  await readableThread(ctx, threadId);
  return threadView(ctx, threadId);
}

/** The view of a thread after its access was checked. */
export async function threadView({ db }: Context, threadId: string): Promise<Thread> {
  const [thread] = await db.query<[Thread]>(
    `select ${threadColumns} from threads t join accounts o on o.id = t.account_id where t.id = $1`,
    [threadId],
  );
  return thread;
}
