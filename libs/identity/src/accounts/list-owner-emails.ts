import type { Context } from '@lensforge/core';

/** The addresses of the owner of an account, or of the owners and admins of a community. */
export async function listOwnerEmails({ db }: Context, accountId: string): Promise<string[]> {
  const rows = await db.query<{ email: string }[]>(
    `select email from users
      where disabled_at is null and email is not null
        and (account_id = $1 or account_id in (select account_id from memberships where community_id = $1 and role in ('owner', 'admin')))`,
    [accountId],
  );
  return rows.map(({ email }) => email);
}
