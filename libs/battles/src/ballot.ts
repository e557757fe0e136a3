import { createHmac } from 'node:crypto';
import { isBlind } from './battle-states.js';
import type { StoredBattle } from './battle.entity.js';
import type { Places } from './votes/places.js';

/**
 * The id of a contender for one voter before the battle is closed. Ids of different voters cannot be compared, so that no
 * participant learns from a voter which contender wrote a text. Their order is the order of the voter's ballot.
 */
export function blindId(
  { blindKey }: Pick<StoredBattle, 'blindKey'>,
  voterAccountId: string,
  contenderId: string,
): string {
  const digest = createHmac('sha256', blindKey).update(`${voterAccountId} ${contenderId}`).digest();
  // Version 8 of a UUID: the bits are of our own making.
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The contenders of a ballot by their blind ids, in the order of the voter. */
export function ballotOrder<C extends { id: string }>(
  battle: Pick<StoredBattle, 'blindKey'>,
  voterAccountId: string,
  contenders: readonly C[],
): Map<string, C> {
  const entries = contenders.map((each): [string, C] => [blindId(battle, voterAccountId, each.id), each]);
  return new Map(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The places of a vote as its voter may see them: with the ids of contenders once the battle is closed, with blind ids before. */
export const visiblePlaces = (
  battle: Pick<StoredBattle, 'blindKey' | 'status' | 'closedAt'>,
  voterAccountId: string,
  ranking: Places,
): string[][] =>
  ranking.map((place) => place.map((id) => (isBlind(battle) ? blindId(battle, voterAccountId, id) : id)));
