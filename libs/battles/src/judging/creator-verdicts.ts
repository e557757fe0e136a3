import type { StoredBattle } from '../battle.entity.js';
import { mayAttribute, visibleReasoning } from '../blindness.js';
import type { StoredContender } from '../contender.entity.js';
import type { Verdict } from './judgements.js';

/** The verdicts that the creator, to whom the run of a judging belongs, may see before the battle is closed. */
export function creatorVerdicts(
  { battle, contenders }: { battle: StoredBattle; contenders: readonly StoredContender[] },
  verdicts: readonly Verdict[],
): Verdict[] {
  const viewer = { accountId: battle.creatorAccountId, isCreator: true, takesPart: false };
  const visible = new Set(contenders.filter((each) => mayAttribute(battle, viewer, each)).map(({ id }) => id));
  return verdicts
    .filter(({ contenderId }) => visible.has(contenderId))
    .map((verdict) => ({ ...verdict, reasoning: visibleReasoning(battle, verdict.reasoning) }));
}
