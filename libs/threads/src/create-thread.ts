import type { NewThreadRequest, Thread, ThreadSubject, ThreadVisibility } from '@lensforge/contracts';
import { type Context, DomainError, badInput, isServiceRole, newId, platformActor } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import { requireNoParticipant } from './access.js';
import { threadView } from './read-thread.js';
import { type Subject, readSubject } from './subject.js';

/** The largest number of open threads that an account can own. */
export const maxOpenThreads = 1000;

/** Creates a thread of the caller, about a subject that the caller may see or without one. */
export async function createThread(ctx: Context, input: NewThreadRequest): Promise<Thread> {
  requireAccount(ctx);
  return inTransaction(ctx, async (ctx) => {
    const subject = await resolveSubject(ctx, input);
    requireNoParticipant(subject);
    const id = newId();
    const { accountId } = ctx.actor;
    await requireBelowLimit(ctx, {
      what: 'open threads',
      accountId,
      max: maxOpenThreads,
      from: 'threads where account_id = $1 and closed_at is null',
      refusal: new DomainError('CONFLICT', `An account has at most ${maxOpenThreads} open threads; close one first`),
    });
    await ctx.db.query(
      `insert into threads (id, account_id, subject_type, subject_id, title, visibility, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        id,
        accountId,
        subject?.type ?? null,
        subject?.id ?? null,
        input.title.trim(),
        pickVisibility(subject, input),
        ctx.now(),
      ],
    );
    return threadView(ctx, id);
  });
}

function requireAccount(ctx: Context): void {
  const { accountId, credential } = ctx.actor;
  if (isServiceRole(ctx) ? accountId !== platformActor.accountId : credential.kind !== 'anonymous') return;
  throw new DomainError('MISSING_LENSER', 'This credential acts for no account: a thread needs an owner');
}

async function resolveSubject(
  ctx: Context,
  { subjectType, subjectId }: Pick<NewThreadRequest, 'subjectType' | 'subjectId'>,
): Promise<Subject | null> {
  if (subjectType === undefined && subjectId === undefined) return null;
  if (subjectType === undefined) throw badInput('subjectType', 'is required with subjectId');
  if (subjectId === undefined) throw badInput('subjectId', 'is required with subjectType');
  return visibleSubject(ctx, subjectType, subjectId.toLowerCase());
}

async function visibleSubject(ctx: Context, type: ThreadSubject, id: string): Promise<Subject> {
  try {
    return await readSubject(ctx, type, id);
  } catch (reason) {
    if (!(reason instanceof DomainError) || reason.code !== 'NOT_FOUND') throw reason;
    throw badInput('subjectId', `must be the id of a ${type} that you can see`);
  }
}

function pickVisibility(
  subject: Subject | null,
  { visibility }: Pick<NewThreadRequest, 'visibility'>,
): ThreadVisibility {
  if (subject === null && visibility === 'subject') {
    throw badInput('visibility', 'must be private, community or public in a thread without a subject');
  }
  return visibility ?? (subject === null ? 'private' : 'subject');
}
