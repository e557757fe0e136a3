import type { BattleStatus, BattleType, ContenderType } from '@lensforge/contracts';
import { type Context, newId, noAccountId } from '@lensforge/core';
import { actingAs, anAccount, anAiLenser } from '@lensforge/identity/testing';
import { StoredBattle } from './battle.entity.js';
import type { BlindBattle } from './blindness-cases.js';
import { StoredContender } from './contender.entity.js';
import { refitLeaderboards } from './leaderboards/refit-leaderboards.js';
import { insertBattle } from './write-battle.js';

/** Inserts a battle of the caller, who needs an account. It may have 26 contenders unless the traits differ. */
export async function aBattle(ctx: Context, traits: Partial<Omit<StoredBattle, 'id'>> = {}): Promise<StoredBattle> {
  const id = newId();
  await insertBattle(ctx, {
    id,
    title: 'A battle',
    taskPrompt: 'Write a haiku about the sea.',
    battleType: 'ai_vs_ai',
    judgingMode: 'community_vote',
    maxContenders: 26,
    aiJudgeModelKey: null,
    rubric: null,
    checks: null,
    budgetCredits: null,
    ...traits,
  });
  const { status = 'draft' } = traits;
  const closedAt = status === 'closed' || status === 'published' ? ctx.now() : null;
  const publishedAt = status === 'published' ? ctx.now() : null;
  const { checks: _, ...state } = { status, closedAt, publishedAt, ...traits };
  await ctx.db.update(StoredBattle, { id }, state);
  return ctx.db.findOneByOrFail(StoredBattle, { id });
}

export interface ContenderTraits {
  displayName?: string;
  contenderType?: ContenderType;
  /** A new person, or a new AI lenser of the owner, when absent. */
  lenserAccountId?: string;
  /** The owner of an AI contender; a new person when absent. */
  ownerAccountId?: string;
  /** The first free one when absent. */
  slotLabel?: string;
  lensId?: string;
  workflowId?: string;
  /** The text of its submission; no submission when absent. */
  text?: string;
}

/** Inserts a contender, a person unless the traits differ. */
export async function aContender(
  ctx: Context,
  { id: battleId }: Pick<StoredBattle, 'id'>,
  traits: ContenderTraits = {},
): Promise<StoredContender> {
  const { contenderType = 'human', text } = traits;
  const isHuman = contenderType === 'human';
  const ownerAccountId = (isHuman ? traits.lenserAccountId : traits.ownerAccountId) ?? (await anAccount(ctx)).id;
  const lenserAccountId =
    traits.lenserAccountId ?? (isHuman ? ownerAccountId : (await anAiLenser(actingAs(ctx, ownerAccountId))).id);
  const taken = await ctx.db.findBy(StoredContender, { battleId });
  const labels = new Set(taken.map(({ slotLabel }) => slotLabel));
  const contender = ctx.db.create(StoredContender, {
    id: newId(),
    battleId,
    slotLabel: traits.slotLabel ?? [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find((label) => !labels.has(label)) ?? '',
    displayName: traits.displayName ?? `Contender ${newId()}`,
    contenderType,
    lenserAccountId,
    ownerAccountId,
    enteredBy: null,
    lensId: traits.lensId ?? null,
    workflowId: traits.workflowId ?? null,
    answerRunId: null,
    answerError: null,
    judgeScore: null,
    voteCount: null,
    voteScore: null,
    rank: null,
    createdAt: ctx.now(),
  });
  await ctx.db.insert(StoredContender, contender);
  if (text !== undefined) {
    await ctx.db.query(
      'insert into battle_submissions (contender_id, battle_id, content_text, submitted_at) values ($1, $2, $3, $4)',
      [contender.id, battleId, text, ctx.now()],
    );
  }
  return contender;
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

/** Inserts a counted vote of a new account; places have contender ids. */
export async function aVote(
  ctx: Context,
  { id: battleId }: Pick<StoredBattle, 'id'>,
  ranking: readonly (readonly string[])[],
  accountId = newId(),
): Promise<void> {
  await ctx.db.query(
    `insert into battle_votes (battle_id, account_id, ranking, entry_order, counted) values ($1, $2, $3, '{}', true)`,
    [battleId, accountId, JSON.stringify(ranking)],
  );
}

export interface PublishedTraits extends Partial<Omit<StoredBattle, 'id'>> {
  /** Ids of lenses by the names of the contenders; a contender without one is a new person. */
  lenses?: Readonly<Record<string, string>>;
  /** Texts by the names of the contenders. */
  texts?: Readonly<Record<string, string>>;
  /** Rankings by the names of the contenders. */
  votes?: readonly (readonly (readonly string[])[])[];
  /** Judge scores by the names of the contenders. */
  scores?: Readonly<Record<string, number>>;
}

/** Inserts a published battle of contenders with these names. */
export async function aPublishedBattle(
  ctx: Context,
  names: readonly string[],
  { lenses = {}, texts = {}, votes = [], scores = {}, ...traits }: PublishedTraits = {},
): Promise<{ battle: StoredBattle; ids: Record<string, string> }> {
  const battle = await aBattle(ctx, { status: 'published', ...traits });
  const ids: Record<string, string> = {};
  for (const displayName of names) {
    const lensId = lenses[displayName];
    const text = texts[displayName] ?? 'A text.';
    const contender = await aContender(ctx, battle, { displayName, text, ...(lensId !== undefined && { lensId }) });
    ids[displayName] = contender.id;
    const score = scores[displayName];
    if (score === undefined) continue;
    await ctx.db.query(
      `insert into battle_verdicts (contender_id, battle_id, verdict, score, reasoning) values ($1, $2, 'x', $3, 'x')`,
      [contender.id, battle.id, score],
    );
  }
  for (const places of votes)
    await aVote(
      ctx,
      battle,
      places.map((place) => place.map((name) => ids[name] ?? name)),
    );
  return { battle, ids };
}

/** Computes the leaderboards of a battle type now. */
export async function refitNow(ctx: Context, battleType: BattleType): Promise<void> {
  const [{ attempt }] = await ctx.db.query<[{ attempt: number }]>(
    `insert into rating_refits as r (battle_type, leased_until, attempt) values ($1, now() + interval '1 h', 1)
     on conflict (battle_type) do update set leased_until = excluded.leased_until, attempt = r.attempt + 1
     returning attempt`,
    [battleType],
  );
  await refitLeaderboards(ctx, { battleType, attempt });
}

export {
  battleDoors,
  blindnessCases,
  knowledgeIn,
  objectsIn,
  permittedKnowledge,
  placedIn,
} from './blindness-cases.js';
export type { BattleViewer, BlindBattle, Knowledge } from './blindness-cases.js';
