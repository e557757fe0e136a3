import type { Context } from '@lensforge/core';
import { StoredLabelProposal } from './label-proposal.entity.js';

/** A proposal of which its approvers are to be told. */
export interface ProposalNotice {
  id: string;
  accountId: string;
  label: string;
  /** The people who may decide; the owners and admins of the community when null. */
  approvers: string[] | null;
  proposedBy: string | null;
}

/** Claims a notice for five minutes. The order is random, so that one that fails blocks no other. */
export async function claimProposalNotice({ db }: Context): Promise<ProposalNotice | undefined> {
  const [[notice]] = await db.query<[ProposalNotice[], number]>(
    `update label_proposals p set claimed_until = clock_timestamp() + interval '5 minutes'
      where p.id = (select id from label_proposals
                     where told_at is null and status = 'pending' and expires_at > now()
                       and coalesce(claimed_until, '-infinity') <= now()
                     order by random() limit 1 for update skip locked)
     returning p.id, p.account_id as "accountId", p.label, p.approvers, p.proposed_by as "proposedBy"`,
  );
  return notice;
}

/** Records that the approvers were told. */
export async function completeProposalNotice({ db, ...ctx }: Context, { id }: ProposalNotice): Promise<void> {
  await db.update(StoredLabelProposal, { id }, { toldAt: ctx.now() });
}

/** Releases a notice that could not be sent, for another try. */
export async function releaseProposalNotice({ db }: Context, { id }: ProposalNotice): Promise<void> {
  await db.update(StoredLabelProposal, { id }, { claimedUntil: null });
}
