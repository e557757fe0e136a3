import type { Submitted } from '@lensforge/contracts';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type ReadableBattle, isAuthor, isInvolved, lockedBattle } from './access.js';
import { requireStatus } from './battle-states.js';
import type { StoredContender } from './contender.entity.js';
import { requireEntry, submittedIds, writeSubmission } from './entries.js';
import { appendBattleEvents } from './events/append-battle-events.js';
import { startScoring } from './start-scoring.js';

export interface EntryOrder {
  battleId: string;
  contenderId: string;
  contentText: string;
}

/** Submits or replaces the answer of a contender. The last one that is missing starts scoring while executing. */
export async function submitEntry(
  ctx: Context,
  { battleId, contenderId, contentText: text }: EntryOrder,
): Promise<Submitted> {
  requireEntry(text);
  return inTransaction(ctx, async (ctx) => {
    const found = await lockedBattle(ctx, battleId);
    const { battle, contenders } = found;
    const contender = requireSubmitter(found, contenderId);
    requireStatus(battle, ['open', 'executing'], 'answered');
    const replaced = await writeSubmission(ctx, { battleId: battle.id, contenderId: contender.id, text, runId: null });
    if (!replaced) {
      const { size: received } = await submittedIds(ctx, battle.id);
      const payload = { received, of: contenders.length };
      await appendBattleEvents(ctx, battle.id, [{ type: 'submission.received', payload }]);
    }
    const status = battle.status === 'executing' ? await startScoring(ctx, found) : battle.status;
    return { battleId: battle.id, contenderId: contender.id, submitted: true, replaced, status };
  });
}

/** The contender whom the caller may submit for: an own one, or as the creator an AI contender. */
function requireSubmitter({ contenders, viewer }: ReadableBattle, contenderId: string): StoredContender {
  const contender = contenders.find(({ id }) => id === contenderId.toLowerCase());
  // To callers who must not know who takes part, all ids are unknown.
  if (!contender || !isInvolved(viewer)) throw notFound('contender', contenderId);
  if (isAuthor(contender, viewer.accountId)) return contender;
  if (viewer.isCreator && contender.contenderType !== 'human') return contender;
  throw new DomainError(
    'FORBIDDEN',
    'Only the owner of a contender submits its answer, and for AI contenders the creator of the battle',
  );
}
