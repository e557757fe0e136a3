import type { shapes } from '@lensforge/sdk';

/** The entries that a voter has placed so far, the best one first. */
export type Ranking = readonly string[];

/** Places an entry behind those that are placed; a placed one loses its place. */
export const toggled = (ranking: Ranking, id: string): Ranking =>
  ranking.includes(id) ? ranking.filter((each) => each !== id) : [...ranking, id];

/** The place of an entry, from 1; undefined when it has none yet. */
export function findPlace(ranking: Ranking, id: string): number | undefined {
  const at = ranking.indexOf(id);
  return at < 0 ? undefined : at + 1;
}

/** The vote of a ranking. The last entry needs no place: it is the worst one. */
export function toVote(ranking: Ranking, comment: string): shapes.VoteRequest {
  const said = comment.trim() !== '' && { comment: comment.trim() };
  const [winner] = ranking;
  if (ranking.length === 1 && winner !== undefined) return { winner, ...said };
  return ranking.length === 0 ? { tie: true, ...said } : { ranking: [...ranking], ...said };
}

export type BallotKey = { entry: number } | 'tie' | 'undo' | 'send';

/** The meaning of a key on a ballot of so many entries; undefined for keys that mean nothing. */
export function ballotKey(key: string, entries: number): BallotKey | undefined {
  if (key === '0') return 'tie';
  if (/^[1-9]$/.test(key)) return Number(key) <= entries ? { entry: Number(key) - 1 } : undefined;
  if (key === 'Backspace') return 'undo';
  return key === 'Enter' ? 'send' : undefined;
}
