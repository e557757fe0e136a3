import type { BattleStatus } from '@lensforge/contracts';
import { battleStatuses, isRecord } from '@lensforge/contracts';

export const battleViewers = [
  'creator',
  'participant',
  'owner of an AI contender',
  'voter',
  'second voter',
  'stranger who cannot vote',
  'anonymous caller',
] as const;
export type BattleViewer = (typeof battleViewers)[number];

export interface BlindBattle {
  battleId: string;
  accounts: Readonly<Record<BattleViewer, string>>;
  contenders: readonly { letter: string; id: string; refId: string; name: string; text: string | undefined }[];
}

/** The contenders, by letter, that an answer shows. */
export interface Knowledge {
  /** Contenders whose id, profile or name is in the answer. */
  identities: string;
  /** Contenders whose text stands with their id. */
  attributed: string;
  /** Contenders whose text stands with another id. */
  ballot: string;
}

/** The knowledge in an answer of any door: of the use case, REST or a tool. */
export function knowledgeIn({ contenders }: BlindBattle, answer: unknown): Knowledge {
  const found = { identities: '', attributed: '', ballot: '' };
  const json = JSON.stringify(answer);
  const entries = objectsIn(answer);
  for (const { letter, id, refId, name, text } of contenders) {
    if ([id, refId, name].some((mark) => json.includes(mark))) found.identities += letter;
    if (text === undefined || !json.includes(JSON.stringify(text).slice(1, -1))) continue;
    const holders = entries.filter((entry) => Object.values(entry).includes(text));
    if (holders.some((entry) => Object.values(entry).includes(id))) found.attributed += letter;
    if (holders.some((entry) => !Object.values(entry).includes(id))) found.ballot += letter;
  }
  return found;
}

export function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isRecord(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

const nothing: Knowledge = { identities: '', attributed: '', ballot: '' };
const everything: Knowledge = { identities: 'ABCD', attributed: 'ABC', ballot: '' };

/** The knowledge that each viewer must get from a battle in each status; undefined when they must not find it. */
export function permittedKnowledge(viewer: BattleViewer, status: BattleStatus): Knowledge | undefined {
  const isClosed = status === 'closed' || status === 'published';
  const isVoting = status === 'voting';
  switch (viewer) {
    case 'creator':
      return isClosed ? everything : { identities: 'ABCD', attributed: 'C', ballot: isVoting ? 'ABC' : '' };
    case 'participant':
      return isClosed ? everything : { identities: 'ABCD', attributed: 'A', ballot: '' };
    case 'owner of an AI contender':
      return isClosed ? everything : { identities: 'ABCD', attributed: 'C', ballot: '' };
    case 'voter':
    case 'second voter':
      if (isVoting) return { ...nothing, ballot: 'ABC' };
      return status === 'published' ? everything : undefined;
    case 'stranger who cannot vote':
    case 'anonymous caller':
      if (isVoting) return nothing;
      return status === 'published' ? everything : undefined;
  }
}

/** Each viewer with each status. */
export const blindnessCases: readonly (readonly [BattleViewer, BattleStatus])[] = battleViewers.flatMap((viewer) =>
  battleStatuses.map((status) => [viewer, status] as const),
);
