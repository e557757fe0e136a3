import type { shapes } from '@lensforge/sdk';

type Message = Pick<shapes.Message, 'id' | 'parentId'>;

export interface Branch<T> {
  message: T;
  replies: readonly T[];
}

/** Messages in their order, each with its replies. A reply whose message is on an earlier page stands by itself. */
export function buildThreads<T extends Message>(messages: readonly T[]): Branch<T>[] {
  const replies = new Map<string, T[]>();
  const branches: Branch<T>[] = [];
  for (const message of messages) {
    const siblings = message.parentId === null ? undefined : replies.get(message.parentId);
    if (siblings) siblings.push(message);
    else {
      const own: T[] = [];
      replies.set(message.id, own);
      branches.push({ message, replies: own });
    }
  }
  return branches;
}

const editableMs = 15 * 60_000;

/** The server refuses an edit after this time. */
export const canEdit = ({ status, createdAt }: Pick<shapes.Message, 'status' | 'createdAt'>, now: number): boolean =>
  status === 'visible' && now - Date.parse(createdAt) < editableMs;
