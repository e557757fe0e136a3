import type { Context } from '@lensforge/core';
import { DomainError, isServiceRole, notFound } from '@lensforge/core';
import { StoredContender } from './contender.entity.js';
import { StoredBattle } from './battle.entity.js';

/** The relation of the caller to a battle. A creator who takes part is `creator` with `takesPart`. */
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
  const [battle, contenders] = await Promise.all([
    ctx.db.findOneBy(StoredBattle, { id: battleId }),
    ctx.db.find(StoredContender, { where: { battleId }, order: { slotLabel: 'asc' } }),
  ]);
  if (!battle) throw notFound('battle', battleId);
  const viewer = viewerOf(ctx, battle, contenders);
  if (viewer.isCreator || viewer.takesPart || battle.status === 'published' || battle.status === 'voting') {
    return { battle, contenders, viewer };
  }
  throw notFound('battle', battleId);
}

export function viewerOf(ctx: Context, battle: StoredBattle, contenders: readonly StoredContender[]): Viewer {
  const { accountId } = ctx.actor;
  return {
    accountId,
    isCreator: isServiceRole(ctx) || battle.creatorAccountId === accountId,
    takesPart: contenders.some((each) => each.ownerAccountId === accountId || each.lenserAccountId === accountId),
  };
}

/** A battle of the caller, locked until the transaction ends: FORBIDDEN to others who see it. */
export async function writableBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  const found = await lockedBattle(ctx, battleId);
  if (found.viewer.isCreator) return found;
  throw new DomainError('FORBIDDEN', `Only the creator of the battle ${battleId} can do this`);
}

/** A battle that the caller may see, locked until the transaction ends. */
export async function lockedBattle(ctx: Context, battleId: string): Promise<ReadableBattle> {
  await ctx.db.query('select 1 from battles where id = $1 for no key update', [battleId]);
  return readableBattle(ctx, battleId);
}
