import type { Context } from '@lensforge/core';

export interface DisabledNotice {
  endpointId: string;
  url: string;
  reason: 'gone' | 'failing';
  /** Whom to tell: the person, or the owners of the community. */
  emails: string[];
}

/**
 * Endpoints that were disabled and whose owners do not know yet; each is handed out once. In no order, so that one whose
 * owners cannot be reached does not stand before the others for ever.
 */
export async function claimNotices({ db }: Context, { most = 20 } = {}): Promise<DisabledNotice[]> {
  const [notices] = await db.query<[DisabledNotice[], number]>(
    `update webhook_endpoints e set notice_due = false
      where e.id = any (array(select id from webhook_endpoints where notice_due
                               order by random() limit $1 for update skip locked))
     returning e.id as "endpointId", e.url, e.disabled_reason as reason,
               array(select u.email from users u
                      where u.disabled_at is null
                        and u.account_id in (select e.account_id union
                                             select account_id from memberships
                                              where community_id = e.account_id and role = 'owner')) as emails`,
    [most],
  );
  return notices;
}

/** It could not be told; somebody will try again. */
export async function giveBackNotice({ db }: Context, { endpointId }: DisabledNotice): Promise<void> {
  await db.query('update webhook_endpoints set notice_due = disabled_at is not null where id = $1', [endpointId]);
}
