import { type Context, badInput, isUuid } from '@lensforge/core';
import { Account } from './account.entity.js';

/**
 * The ids of the people who may approve what an account does, by handles or ids. A community without names has its owners and
 * admins; a person must name others.
 */
export async function readApprovers(
  ctx: Context,
  accountId: string,
  names: readonly string[] | undefined,
): Promise<string[] | undefined> {
  if (!names || names.length === 0) {
    const owner = await ctx.db.findOneBy(Account, { id: accountId });
    if (owner?.kind === 'community') return undefined;
    throw badInput('rules.secondPerson.approvers', 'are required: this account is of one person');
  }
  const ids = await readPeople(ctx, names, 'rules.secondPerson.approvers');
  if (ids.every((id) => id === accountId))
    throw badInput('rules.secondPerson.approvers', 'must have another person than the owner');
  return ids;
}

/** The ids of people by their handles or ids. */
async function readPeople({ db }: Context, names: readonly string[], path: string): Promise<string[]> {
  const handles = names.map((name) => name.replace(/^@/, '').toLowerCase());
  const found = await db.query<{ id: string; handle: string }[]>(
    `select id, handle from accounts
      where kind = 'person' and disabled_at is null and (handle = any ($1) or id = any ($2::uuid[]))`,
    [handles, handles.filter((name) => isUuid(name))],
  );
  const unknown = names.find((_, at) => !found.some(({ id, handle }) => [id, handle].includes(handles[at] ?? '')));
  if (unknown !== undefined) throw badInput(path, `"${unknown.slice(0, 80)}" is no handle or id of a person`);
  return [...new Set(found.map(({ id }) => id))].sort();
}

/** The ids of the people who review for an account, by handles or ids; undefined for the owners and admins of a community. */
export async function readReviewers(ctx: Context, names: readonly string[] | undefined): Promise<string[] | undefined> {
  const { accountId } = ctx.actor;
  if (names && names.length > 0) return readPeople(ctx, names, 'reviewers');
  const owner = await ctx.db.findOneBy(Account, { id: accountId });
  return owner?.kind === 'community' ? undefined : [accountId];
}
