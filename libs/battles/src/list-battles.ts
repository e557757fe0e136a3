import type { BattleStatus, BattleSummary, BattleType } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, isServiceRole, noAccountId } from '@lensforge/core';
import { type BattleScan, countScans, readScans } from './battle-scans.js';

export interface BattleFilter {
  status?: BattleStatus | undefined;
  battleType?: BattleType | undefined;
  creatorId?: string | undefined;
}

/** Lists published battles, and those that the caller created or takes part in, newest first. */
export const listBattles = (
  ctx: Context,
  { limit, offset, cursor, ...filter }: BattleFilter & PageRequest,
): Promise<Page<BattleSummary>> => readScans(ctx, buildScans(ctx, filter), { limit, offset, cursor });

/** The number of battles that `listBattles` lists, counted up to 10,000. */
export const countBattles = (ctx: Context, filter: BattleFilter = {}): Promise<number> =>
  countScans(ctx, buildScans(ctx, filter));

function buildScans(ctx: Context, { status, battleType, creatorId }: BattleFilter): BattleScan[] {
  const { accountId } = ctx.actor;
  const filter = { status: status && [status], battleType, creatorId: creatorId?.toLowerCase() };
  if (isServiceRole(ctx)) return [filter];
  const published: BattleScan[] =
    status === undefined || status === 'published' ? [{ ...filter, status: ['published'] }] : [];
  if (status === 'published' || accountId === noAccountId) return published;
  const own: BattleScan[] =
    filter.creatorId === undefined || filter.creatorId === accountId ? [{ ...filter, creatorId: accountId }] : [];
  return [...published, ...own, { ...filter, participantId: accountId }];
}
