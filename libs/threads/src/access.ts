import type { ThreadSubject, ThreadVisibility } from '@lensforge/contracts';
import { type Context, DomainError, isServiceRole, notFound } from '@lensforge/core';
import { administers, lockCommunity, roleIn } from '@lensforge/identity';
import { type Subject, readSubject } from './subject.js';

export interface StoredThread {
  id: string;
  accountId: string;
  subjectType: ThreadSubject | null;
  subjectId: string | null;
  title: string;
  visibility: ThreadVisibility;
  messageCount: number;
  lastSequence: number;
  closedAt: Date | null;
  closedBy: string | null;
}

export interface ReadableThread {
  thread: StoredThread;
  subject: Subject | null;
}

const threadById = `
  select id, account_id as "accountId", subject_type as "subjectType", subject_id as "subjectId", title, visibility,
         message_count as "messageCount", last_sequence as "lastSequence", closed_at as "closedAt", closed_by as "closedBy"
    from threads where id = $1`;

/** A thread for callers who may see it and its subject; NOT_FOUND otherwise. */
export async function readableThread(ctx: Context, threadId: string): Promise<ReadableThread> {
  const [thread] = await ctx.db.query<StoredThread[]>(threadById, [threadId]);
  return visibleThread(ctx, threadId, thread);
}

/** A thread that the caller may see, locked until the transaction ends, with the caller's role in its community. */
export async function lockedThread(ctx: Context, threadId: string): Promise<ReadableThread> {
  const [thread] = await ctx.db.query<StoredThread[]>(`${threadById} for no key update`, [threadId]);
  const { subjectType, subjectId } = thread ?? {};
  if (subjectType === 'community' && subjectId) {
    await asThread(threadId, () => lockCommunity(ctx, subjectId, 'shared'));
  }
  return visibleThread(ctx, threadId, thread);
}

/** A locked thread for its moderators; FORBIDDEN to others who see it. */
export async function moderatedThread(ctx: Context, threadId: string): Promise<ReadableThread> {
  const found = await lockedThread(ctx, threadId);
  await requireModerator(ctx, found);
  return found;
}

export async function requireModerator(ctx: Context, found: ReadableThread): Promise<void> {
  if (await moderates(ctx, found)) return;
  throw new DomainError(
    'FORBIDDEN',
    'Only the owner of the thread, the owner of its subject, and administrators and moderators of their community can do this',
  );
}

/** True for the owner of the thread and those who moderate because of its subject. */
export const moderates = async (ctx: Context, { thread, subject }: ReadableThread): Promise<boolean> =>
  (await administers(ctx, thread.accountId)) || (await moderatesSubject(ctx, subject));

/** True for the owner of the subject, which for communities are those who administer or moderate it. */
export async function moderatesSubject(ctx: Context, subject: Subject | null): Promise<boolean> {
  if (subject === null) return false;
  if (await administers(ctx, subject.ownerId)) return true;
  // Tokens that act for one person do not act for communities.
  if (subject.type !== 'community' || ctx.actor.credential.kind !== 'session') return false;
  return (await roleIn(ctx, subject.id)) === 'moderator';
}

interface Writer {
  kind: 'person' | 'agent' | 'community';
  isMuted: boolean;
}

/** Refuses to take a text of the caller: in a closed thread, from muted accounts, from participants of a blind battle. */
export async function requireWriter(ctx: Context, { thread, subject }: ReadableThread): Promise<Writer> {
  if (thread.closedAt !== null) {
    throw new DomainError('CONFLICT', 'The thread is closed: a moderator can reopen it', { status: 'closed' });
  }
  const [writer] = await ctx.db.query<Writer[]>(
    `select a.kind, exists (select from thread_mutes m
                             where m.thread_id = $2 and m.account_id in (a.id, a.owner_account_id)) as "isMuted"
       from accounts a where a.id = $1 and a.disabled_at is null`,
    [ctx.actor.accountId, thread.id],
  );
  if (!writer) throw new DomainError('FORBIDDEN', 'This credential acts for no account: a message needs an author');
  if (writer.isMuted) throw new DomainError('FORBIDDEN', 'You are muted in this thread: you can read, but not write');
  if (writer.kind === 'agent' && subject?.isBlind) throw participantsAreSilent();
  requireNoParticipant(subject);
  return writer;
}

/** A name in a thread about a blind battle would tell voters who takes part. */
export function requireNoParticipant(subject: Subject | null): void {
  if (subject?.isBlind && subject.takesPart) throw participantsAreSilent();
}

const participantsAreSilent = (): DomainError =>
  new DomainError(
    'FORBIDDEN',
    'Until the battle is closed, participants and AI lensers do not write in threads about it',
  );

async function visibleThread(
  ctx: Context,
  threadId: string,
  thread: StoredThread | undefined,
): Promise<ReadableThread> {
  if (!thread || !isVisible(ctx, thread)) throw notFound('thread', threadId);
  const { subjectType: type, subjectId: id } = thread;
  if (type === null || id === null) return { thread, subject: null };
  return { thread, subject: await asThread(threadId, () => readSubject(ctx, type, id)) };
}

export function isVisible(ctx: Context, { accountId, visibility }: Pick<StoredThread, 'accountId' | 'visibility'>) {
  if (isServiceRole(ctx) || accountId === ctx.actor.accountId) return true;
  if (visibility === 'community') return ctx.actor.credential.kind !== 'anonymous';
  return visibility !== 'private';
}

/** The thread does not exist for callers for whom its subject does not. */
async function asThread<T>(threadId: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (reason) {
    if (reason instanceof DomainError && reason.code === 'NOT_FOUND') throw notFound('thread', threadId);
    throw reason;
  }
}
