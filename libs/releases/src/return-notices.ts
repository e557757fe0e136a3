import type { LabelReturned } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { LessThan } from 'typeorm';
import { LabelWatch } from './label-watch.entity.js';

/** A label that returned by itself. */
export interface ReturnNotice {
  id: string;
  accountId: string;
  kind: 'lens' | 'workflow';
  ownerId: string;
  label: string;
  returned: LabelReturned;
}

const keepMs = 7 * 86_400_000;

/** Claims a notice for five minutes. The order is random, so that one that fails blocks no other. */
export async function claimReturnNotice({ db }: Context): Promise<ReturnNotice | undefined> {
  const [[notice]] = await db.query<[ReturnNotice[], number]>(
    `update label_watches w set claimed_until = clock_timestamp() + interval '5 minutes'
      where w.id = (select id from label_watches where ended_at is not null and coalesce(claimed_until, '-infinity') <= now()
                     order by random() limit 1 for update skip locked)
     returning w.id, w.account_id as "accountId", w.kind, w.owner_id as "ownerId", w.label, w.returned`,
  );
  return notice;
}

/** Deletes a notice that was sent. */
export async function completeReturnNotice({ db }: Context, { id }: ReturnNotice): Promise<void> {
  await db.delete(LabelWatch, { id });
}

/** Releases a notice that could not be sent, for another try. */
export async function releaseReturnNotice({ db }: Context, { id }: ReturnNotice): Promise<void> {
  await db.update(LabelWatch, { id }, { claimedUntil: null });
}

/** Deletes notices that no mail server has sent for a week. */
export async function deleteOldReturnNotices({ db, ...ctx }: Context): Promise<void> {
  await db.delete(LabelWatch, { endedAt: LessThan(new Date(ctx.now().getTime() - keepMs)) });
}
