import type { Context } from '@lensforge/core';
import { DomainError, isServiceRole, notFound } from '@lensforge/core';
import { StoredBattle } from './battle.entity.js';
import { StoredContender } from './contender.entity.js';

/** The relation of the caller to a battle. A creator who takes part is both. */
export interface Viewer {
  accountId: string;
  isCreator: boolean;
  /** True for contenders and owners of AI contenders. */
  takesPart: boolean;
}

export interface ReadableBattle {
  battle: StoredBattle;
  contenders: StoredContender[];
  viewer: Viewer;
}

/**
 * A battle with its contenders by slot, for callers who may see it: its creator and participants always, others once it
 * is published, and by id while voting. NOT_FOUND otherwise.
 */
export async function readableBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  const found = await findBattle(ctx, battleId);
  if (!canSee(found)) throw notFound('battle', battleId);
  return found;
}

/** A battle of the caller, locked until the transaction ends: FORBIDDEN to others who see it. */
export async function writableBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  const found = await lockedBattle(ctx, battleId);
  if (found.viewer.isCreator) return found;
  throw new DomainError('FORBIDDEN', `Only the creator of the battle ${battleId} can do this`);
}

/** A battle that the caller may see, locked until the transaction ends. */
export async function lockedBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  await lockBattle(ctx, battleId);
  return readableBattle(ctx, battleId);
}

/** Locks a battle until the transaction ends; false when there is none. */
export async function lockBattle({ db }: Context, battleId: string): Promise<boolean> {
  const rows = await db.query<unknown[]>('select 1 from battles where id = $1 for no key update', [battleId]);
  return rows.length > 0;
}

/** A battle that the caller may see or that is open to contenders. */
export async function enterableBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  const found = await findBattle(ctx, battleId);
  if (!canSee(found) && found.battle.status !== 'open') throw notFound('battle', battleId);
  return found;
}

/** True for those who may know who takes part before the battle is closed. */
export const isInvolved = ({ isCreator, takesPart }: Viewer): boolean => isCreator || takesPart;

const canSee = ({ battle: { status }, viewer }: ReadableBattle): boolean =>
  isInvolved(viewer) || status === 'published' || status === 'voting';

async function findBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  const battle = await ctx.db.findOneBy(StoredBattle, { id: battleId });
  if (!battle) throw notFound('battle', battleId);
  const contenders = await ctx.db.find(StoredContender, { where: { battleId }, order: { slotLabel: 'asc' } });
  return { battle, contenders, viewer: viewerOf(ctx, battle, contenders) };
}

export function viewerOf(ctx: Context, battle: StoredBattle, contenders: readonly StoredContender[]): Viewer {
  const { accountId } = ctx.actor;
  return {
    accountId,
    isCreator: isServiceRole(ctx) || battle.creatorAccountId === accountId,
    takesPart: contenders.some((each) => isAuthor(each, accountId)),
  };
}

/** True for the person or AI lenser that is the contender, and for the owner of the AI lenser. */
export const isAuthor = (contender: StoredContender, accountId: string): boolean =>
  contender.ownerAccountId === accountId || contender.lenserAccountId === accountId;
