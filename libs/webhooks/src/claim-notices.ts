import type { Context } from '@lensforge/core';

export interface DisabledNotice {
  endpointId: string;
  url: string;
  reason: 'gone' | 'failing';
  /** Whom to tell: the person, or the owners of the community. */
  emails: string[];
  /** What the one who holds it can settle it with. */
  claim: string;
}

/**
 * Endpoints that were disabled and whose owners do not know yet, each for one caller until it says how that went, or for
 * five minutes. In no order, so that one whose owners cannot be reached does not stand before the others for ever.
 */
export async function claimNotices({ db }: Context, { most = 20 } = {}): Promise<DisabledNotice[]> {
  const [notices] = await db.query<[DisabledNotice[], number]>(
    `update webhook_endpoints e set notice_claimed_until = clock_timestamp() + interval '5 minutes'
      where e.id = any (array(select id from webhook_endpoints
                               where notice_due and coalesce(notice_claimed_until, '-infinity') <= now()
                               order by random() limit $1 for update skip locked))
     returning e.id as "endpointId", e.url, e.disabled_reason as reason, e.notice_claimed_until::text as claim,
               array(select u.email from users u
                      where u.disabled_at is null
                        and u.account_id in (select e.account_id union
                                             select account_id from memberships
                                              where community_id = e.account_id and role = 'owner')) as emails`,
    [most],
  );
  return notices;
}

/** They know. An endpoint that was disabled once more meanwhile has another notice. */
export const settleNotice = (ctx: Context, notice: DisabledNotice): Promise<void> => release(ctx, notice, false);

/** It could not be told; somebody will try again. */
export const giveBackNotice = (ctx: Context, notice: DisabledNotice): Promise<void> => release(ctx, notice, true);

async function release({ db }: Context, { endpointId, claim }: DisabledNotice, isDue: boolean): Promise<void> {
  await db.query(
    `update webhook_endpoints set notice_due = notice_due and $3, notice_claimed_until = null
      where id = $1 and notice_claimed_until = $2::timestamptz`,
    [endpointId, claim, isDue],
  );
}
