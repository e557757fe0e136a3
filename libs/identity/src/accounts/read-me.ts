import { type AccountSummary, type Me, type MembershipSummary, grants } from '@lensforge/contracts';
import { type Context, noAccountId } from '@lensforge/core';

const maxMemberships = 100;

interface Row {
  email: string | null;
  account: AccountSummary | null;
  operator: boolean;
  expiresAt: string | null;
  memberships: MembershipSummary[] | null;
}

/** Reads the caller's user, account and credential, as far as the credential allows. */
export async function readMe(ctx: Context): Promise<Me> {
  const { credential, accountId, userId, scopes } = ctx.actor;
  const isSession = credential.kind === 'session';
  const [row] = await ctx.db.query<[Row]>(
    `select (select email from users where id = $1 and $2) as email,
            (select jsonb_build_object('id', id, 'kind', kind, 'handle', handle, 'displayName', display_name,
                                       'description', description) from accounts where id = $3) as account,
            (select iso(expires_at) from api_tokens where id = $4) as "expiresAt",
            $2 and exists (select from operators where account_id = $3) as operator,
            (select coalesce(jsonb_agg(m), '[]') from (
               select c.id as "communityId", c.handle, c.display_name as "displayName", m.role
                 from memberships m join accounts c on c.id = m.community_id and c.disabled_at is null
                where m.account_id = $3 order by m.community_id desc limit ${maxMemberships}) m) as memberships`,
    [userId, isSession, accountId === noAccountId ? null : accountId, credential.id],
  );
  return {
    userId,
    ...(row.email !== null && { email: row.email }),
    account: row.account,
    ...(row.operator && { operator: true }),
    credential: {
      id: credential.id,
      kind: credential.kind,
      scopes: [...scopes],
      expiresAt: row.expiresAt ?? getExpiry(ctx),
    },
    ...(grants(scopes, 'community:read') && { memberships: row.memberships ?? [] }),
  };
}

const getExpiry = ({ actor: { credential } }: Context): string | null =>
  credential.until === undefined ? null : new Date(credential.until * 1000).toISOString();
