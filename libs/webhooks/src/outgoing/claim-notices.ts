import type { Context } from '@lensforge/core';

export interface DisabledNotice {
  endpointId: string;
  url: string;
  reason: 'gone' | 'failing';
  /** The addresses of the person, or of the owners of the community. */
  emails: string[];
  /** Identifies this claim when it is completed or released. */
  claim: string;
}

/**
 * Claims notices about disabled endpoints, each for one caller for five minutes. The order is random, so that notices that
 * cannot be sent do not block the others.
 */
export async function claimNotices({ db }: Context, { limit = 20 } = {}): Promise<DisabledNotice[]> {
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
    [limit],
  );
  return notices;
}

/** Marks a notice as sent. An endpoint that was disabled again meanwhile keeps its new notice. */
export const completeNotice = (ctx: Context, notice: DisabledNotice): Promise<void> => endClaim(ctx, notice, false);

/** Releases a notice that could not be sent, for another try. */
export const releaseNotice = (ctx: Context, notice: DisabledNotice): Promise<void> => endClaim(ctx, notice, true);

async function endClaim({ db }: Context, { endpointId, claim }: DisabledNotice, isDue: boolean): Promise<void> {
  await db.query(
    `update webhook_endpoints set notice_due = notice_due and $3, notice_claimed_until = null
      where id = $1 and notice_claimed_until = $2::timestamptz`,
    [endpointId, claim, isDue],
  );
}
