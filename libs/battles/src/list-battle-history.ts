import { type BattleSummary, type HistoryStatus, historyStatuses } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, isServiceRole } from '@lensforge/core';
import { type BattleScan, countScans, readScans } from './battle-scans.js';

export interface BattleHistoryFilter {
  /** The caller when absent. */
  lenserId?: string | undefined;
  status?: HistoryStatus | undefined;
}

/**
 * Lists closed, published and archived battles that a lenser created or took part in, newest first. Of another lenser's
 * battles the caller gets published ones and those of their own.
 */
export const listBattleHistory = (
  ctx: Context,
  { limit, offset, cursor, ...filter }: BattleHistoryFilter & PageRequest,
): Promise<Page<BattleSummary>> => readScans(ctx, buildScans(ctx, filter), { limit, offset, cursor });

/** The number of battles that `listBattleHistory` lists, counted up to 10,000. */
export const countBattleHistory = (ctx: Context, filter: BattleHistoryFilter = {}): Promise<number> =>
  countScans(ctx, buildScans(ctx, filter));

function buildScans(ctx: Context, { lenserId, status }: BattleHistoryFilter): BattleScan[] {
  const { accountId } = ctx.actor;
  const lenser = lenserId?.toLowerCase() ?? accountId;
  const filter = {
    status: status ? [status] : historyStatuses,
    ...(lenser !== accountId && !isServiceRole(ctx) && { visibleTo: accountId }),
  };
  return [
    { ...filter, creatorId: lenser },
    { ...filter, participantId: lenser },
  ];
}
