import type { Context } from '@lensforge/core';
import { type ReadableBattle, type Viewer, isAuthor, isInvolved } from './access.js';
import type { StoredBattle } from './battle.entity.js';
import { isBlind } from './battle-states.js';
import type { StoredContender } from './contender.entity.js';

/** True when the caller may know which contender wrote a text: before the closing, its author, and the creator for AI. */
export const mayAttribute = (battle: StoredBattle, viewer: Viewer, contender: StoredContender): boolean =>
  !isBlind(battle) ||
  isAuthor(contender, viewer.accountId) ||
  (viewer.isCreator && contender.contenderType !== 'human');

/** True when the caller may know who takes part. */
export const seesContenders = (battle: StoredBattle, viewer: Viewer): boolean => !isBlind(battle) || isInvolved(viewer);

interface Voter {
  kind: 'person' | 'agent' | 'community';
  ownerId: string | null;
}

/** True when the caller may vote now: AI lensers in human_vs_human_ai_votes, people in other battles; no participants. */
export async function mayVote(ctx: Context, { battle, contenders, viewer }: ReadableBattle): Promise<boolean> {
  if (battle.status !== 'voting' || viewer.takesPart || ctx.actor.credential.kind === 'anonymous') return false;
  const [voter] = await ctx.db.query<Voter[]>(
    `select kind, owner_account_id as "ownerId" from accounts where id = $1 and disabled_at is null`,
    [viewer.accountId],
  );
  if (voter?.kind !== (battle.battleType === 'human_vs_human_ai_votes' ? 'agent' : 'person')) return false;
  // An AI lenser votes neither for nor against its owner.
  return !contenders.some(({ ownerAccountId }) => ownerAccountId === voter.ownerId);
}
