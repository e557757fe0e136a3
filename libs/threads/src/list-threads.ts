import type { Thread, ThreadStatus, ThreadSubject } from '@lensforge/contracts';
import {
  type Context,
  DomainError,
  type Page,
  type PageRequest,
  badInput,
  cursorOfRow,
  decodeCursor,
  isServiceRole,
  toPage,
} from '@lensforge/core';
import { readSubject } from './subject.js';
import { threadColumns } from './thread-rows.js';

export interface ThreadFilter {
  subjectType?: ThreadSubject | undefined;
  subjectId?: string | undefined;
  status?: ThreadStatus | undefined;
}

/**
 * Lists the threads about a subject, or those without one, that the caller may see, newest first. A subject that the caller
 * cannot see has none.
 */
export async function listThreads(
  ctx: Context,
  { limit, offset = 0, cursor, ...filter }: ThreadFilter & PageRequest,
): Promise<Page<Thread>> {
  const page = { limit, offset };
  const before = cursor === undefined ? undefined : decodeCursor(cursor).id;
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const scans = (await hasSubject(ctx, filter)) ? buildScans(ctx, filter, bind) : [];
  if (scans.length === 0) return toPage<Thread>([], page, cursorOfRow);
  const { status } = filter;
  const more = [
    ...(status === undefined ? [] : [`closed_at is ${status === 'open' ? '' : 'not '}null`]),
    ...(before === undefined ? [] : [`id < ${bind(before)}`]),
  ].map((condition) => ` and ${condition}`);
  const most = bind(offset + limit + 1);
  const limited = scans.map(
    (scan) => `(select id from threads where ${scan}${more.join('')} order by id desc limit ${most}::bigint)`,
  );
  const rows = await ctx.db.query<Thread[]>(
    `with page as (select id from (${limited.join(' union ')}) found
                    order by id desc limit ${bind(limit + 1)}::bigint offset ${bind(offset)}::bigint)
     select ${threadColumns} from page join threads t on t.id = page.id join accounts o on o.id = t.account_id
      order by t.id desc`,
    parameters,
  );
  return toPage(rows, page, cursorOfRow);
}

/** False for a subject that the caller cannot see. */
async function hasSubject(ctx: Context, { subjectType, subjectId }: ThreadFilter): Promise<boolean> {
  if ((subjectType === undefined) !== (subjectId === undefined)) {
    throw badInput(subjectType === undefined ? 'subjectType' : 'subjectId', 'is required with the other one');
  }
  if (subjectType === undefined || subjectId === undefined) return true;
  try {
    await readSubject(ctx, subjectType, subjectId);
    return true;
  } catch (reason) {
    if (reason instanceof DomainError && reason.code === 'NOT_FOUND') return false;
    throw reason;
  }
}

/** Conditions on threads; the list is their union. */
function buildScans(
  ctx: Context,
  { subjectType, subjectId }: ThreadFilter,
  bind: (value: unknown) => string,
): string[] {
  const { accountId, credential } = ctx.actor;
  const isPlatform = isServiceRole(ctx);
  const visible = credential.kind === 'anonymous' ? ['public'] : ['community', 'public'];
  if (subjectId !== undefined) {
    const about = `subject_id = ${bind(subjectId)} and subject_type = ${bind(subjectType)}`;
    if (isPlatform) return [about];
    return [`${about} and (visibility = any(${bind(['subject', ...visible])}) or account_id = ${bind(accountId)})`];
  }
  if (isPlatform) return ['subject_id is null'];
  const own = credential.kind === 'anonymous' ? [] : [`subject_id is null and account_id = ${bind(accountId)}`];
  return [...visible.map((visibility) => `subject_id is null and visibility = '${visibility}'`), ...own];
}
