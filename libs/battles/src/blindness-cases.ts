import type { BattleStatus } from '@lensforge/contracts';
import { battleStatuses, isRecord } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { noAccountId } from '@lensforge/core';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { aBattle, aContender } from './testing.js';

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

/**
 * Inserts a battle of four contenders: the people A and B, the AI lenser C, and the person D, who has no submission. The
 * participant is A; the creator takes no part.
 */
export async function aBlindBattle(ctx: Context, status: BattleStatus): Promise<BlindBattle> {
  const person = async (): Promise<string> => (await anAccount(ctx)).id;
  const [creator, participant, owner] = [await person(), await person(), await person()];
  const battle = await aBattle(actingAs(ctx, creator), { battleType: 'human_vs_ai', status });
  const ofAi = { contenderType: 'ai_agent', ownerAccountId: owner } as const;
  const traits = { A: { lenserAccountId: participant }, B: {}, C: ofAi, D: {} };
  const contenders: BlindBattle['contenders'][number][] = [];
  for (const [letter, one] of Object.entries(traits)) {
    const name = `name of ${letter} in ${battle.id}`;
    const text = letter === 'D' ? undefined : `text of ${letter} in ${battle.id}`;
    const made = await aContender(ctx, battle, { displayName: name, ...(text !== undefined && { text }), ...one });
    contenders.push({ letter, id: made.id, refId: made.lenserAccountId, name, text });
  }
  return {
    battleId: battle.id,
    contenders,
    accounts: {
      creator,
      participant,
      'owner of an AI contender': owner,
      voter: await person(),
      'second voter': await person(),
      'stranger who cannot vote': (await anAccount(ctx, { kind: 'community' })).id,
      'anonymous caller': noAccountId,
    },
  };
}

/** The contenders, by letter, that an answer shows. */
export interface Knowledge {
  /** Those whose id, profile or name is in the answer. */
  identities: string;
  /** Those whose text stands with their id. */
  attributed: string;
  /** Those whose text stands with another id. */
  ballot: string;
}

/** The knowledge in an answer of any door: of the use case, REST or a tool. */
export function knowledgeIn({ contenders }: BlindBattle, answer: unknown): Knowledge {
  const found = { identities: '', attributed: '', ballot: '' };
  const json = JSON.stringify(answer);
  const entries = objectsIn(answer);
  for (const { letter, id, refId, name, text } of contenders) {
    if ([id, refId, name].some((mark) => json.includes(mark))) found.identities += letter;
    if (text === undefined || !json.includes(text)) continue;
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
