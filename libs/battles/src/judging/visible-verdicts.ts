import type { ReadableBattle } from '../access.js';
import { mayAttribute } from '../blindness.js';
import type { Verdict } from './judgements.js';

const withheld = 'The reasoning is shown when the battle is closed, because it may quote other texts.';

/**
 * The verdicts on texts that the viewer may attribute. A comparison may quote the other text, and comparisons are in the order of
 * contenders, so that their reasoning is for viewers who may attribute all texts.
 */
export function visibleVerdicts<V extends Pick<Verdict, 'contenderId' | 'reasoning'>>(
  { battle, contenders, viewer }: ReadableBattle,
  verdicts: readonly V[],
): V[] {
  const visible = new Set(contenders.filter((each) => mayAttribute(battle, viewer, each)).map(({ id }) => id));
  const hides = battle.judgingMode === 'ai_judge' && visible.size < contenders.length;
  return verdicts
    .filter(({ contenderId }) => visible.has(contenderId))
    .map((verdict) => (hides ? { ...verdict, reasoning: withheld } : verdict));
}

/** The verdicts that the creator, to whom the run of a judging belongs, may see before the battle is closed. */
export const creatorVerdicts = (
  { battle, contenders }: Omit<ReadableBattle, 'viewer'>,
  verdicts: readonly Verdict[],
): Verdict[] => {
  const viewer = { accountId: battle.creatorAccountId, isCreator: true, takesPart: false };
  return visibleVerdicts({ battle, contenders, viewer }, verdicts);
};
