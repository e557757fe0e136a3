import type { VoteRequest } from '@lensforge/contracts';
import { badInput } from '@lensforge/core';

/** Groups of contenders from best to worst; members of a group share a place. */
export type Places = readonly (readonly string[])[];

/** The ids of a ballot, as its voter knows them, with those of the contenders. */
export type Ballot = ReadonlyMap<string, { id: string }>;

type Ballots = Pick<VoteRequest, 'winner' | 'ranking' | 'tie'>;

/** The places that a vote gives by the ids of the ballot. Entries that it leaves out share the remaining places. */
export function toPlaces({ winner, ranking, tie }: Ballots, ballot: Ballot): string[][] {
  const hasTie = tie === true;
  const given = [winner !== undefined, ranking !== undefined, hasTie].filter(Boolean).length;
  if (given !== 1) throw badInput('', 'exactly one of winner, ranking and tie is required');
  if (hasTie) return [[...ballot.keys()]];
  const named = winner === undefined ? (ranking ?? []).map(lowerCase) : [lowerCase(winner)];
  named.forEach((id, index) => {
    const path = winner === undefined ? `ranking.${index}` : 'winner';
    if (!ballot.has(id)) throw badInput(path, 'is not an id of your ballot');
    if (named.indexOf(id) < index) throw badInput(path, 'occurs twice');
  });
  const rest = [...ballot.keys()].filter((id) => !named.includes(id));
  return [...named.map((id) => [id]), ...(rest.length > 0 ? [rest] : [])];
}

const lowerCase = (id: string): string => id.toLowerCase();

export interface CountedVotes {
  places: Places;
  /** The number of votes with these places. */
  votes: number;
}

export interface VoteResult {
  /** The number of votes that place the contender first alone. */
  voteCount: number;
  /** The mean Borda score, from 0 to 1; 0 without votes. */
  voteScore: number;
}

/** The result of each contender of the ballot. The place of a group is the mean of the places that its members share. */
export function countPlaces(
  contenderIds: readonly string[],
  counted: readonly CountedVotes[],
): Map<string, VoteResult> {
  const size = contenderIds.length;
  const sums = new Map(contenderIds.map((id) => [id, { first: 0, points: 0 }]));
  let total = 0;
  for (const { places, votes } of counted) {
    total += votes;
    let before = 0;
    for (const group of places) {
      // Points are whole numbers, so that equal results are equal: twice the number of entries behind the mean place.
      const points = 2 * (size - before) - group.length - 1;
      for (const id of group) {
        const sum = sums.get(id);
        if (!sum) continue;
        sum.points += votes * points;
        if (before === 0 && group.length === 1) sum.first += votes;
      }
      before += group.length;
    }
  }
  const most = 2 * total * Math.max(size - 1, 1);
  return new Map(
    [...sums].map(([id, { first, points }]) => [id, { voteCount: first, voteScore: total > 0 ? points / most : 0 }]),
  );
}
