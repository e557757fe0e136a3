import type { Context } from '@lensforge/core';
import type { FormerAdministrator } from '../tokens/revoke-tokens-of-creator.js';
import type { Suspended } from './suspend-delegations.js';

export interface SuspensionNotice {
  id: string;
  /** The handle of the community. */
  community: string;
  reason: FormerAdministrator['reason'];
  items: Suspended[];
  /** The addresses of the owners and admins. */
  emails: string[];
}

/** Claims a notice about suspended objects for five minutes. The order is random, so that one that fails blocks no other. */
export async function claimSuspensionNotice({ db }: Context): Promise<SuspensionNotice | undefined> {
  const [[notice]] = await db.query<[SuspensionNotice[], number]>(
    `update suspension_notices n set claimed_until = clock_timestamp() + interval '5 minutes'
       from accounts c
      where n.id = (select id from suspension_notices where coalesce(claimed_until, '-infinity') <= now()
                     order by random() limit 1 for update skip locked) and c.id = n.account_id
     returning n.id, c.handle as community, n.reason, n.items,
               array(select u.email from users u
                      where u.disabled_at is null and u.email is not null
                        and u.account_id in (select account_id from memberships
                                              where community_id = n.account_id and role in ('owner', 'admin'))) as emails`,
  );
  return notice;
}

/** Deletes a notice that was sent. */
export async function completeSuspensionNotice({ db }: Context, { id }: SuspensionNotice): Promise<void> {
  await db.query('delete from suspension_notices where id = $1', [id]);
}

/** Releases a notice that could not be sent, for another try. */
export async function releaseSuspensionNotice({ db }: Context, { id }: SuspensionNotice): Promise<void> {
  await db.query('update suspension_notices set claimed_until = null where id = $1', [id]);
}
