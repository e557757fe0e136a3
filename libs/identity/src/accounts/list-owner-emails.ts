import type { Context } from '@lensforge/core';

const enabled = `select email from users where disabled_at is null and email is not null`;

/** The addresses of the owner of an account, or of the owners and admins of a community. */
export const listOwnerEmails = (ctx: Context, accountId: string, except: string | null = null): Promise<string[]> =>
  listEmails(
    ctx,
    `${enabled} and account_id is distinct from $2
        and (account_id = $1 or account_id in (select account_id from memberships where community_id = $1 and role in ('owner', 'admin')))`,
    [accountId, except],
  );

/** The addresses of people. */
export const listEmailsOf = (ctx: Context, accountIds: readonly string[]): Promise<string[]> =>
  listEmails(ctx, `${enabled} and account_id = any ($1)`, [accountIds]);

async function listEmails({ db }: Context, sql: string, values: unknown[]): Promise<string[]> {
  return (await db.query<{ email: string }[]>(sql, values)).map(({ email }) => email);
}
