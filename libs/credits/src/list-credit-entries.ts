import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import type { CreditEntryKind } from './credit-entry.entity.js';

export interface CreditEntryItem {
  id: string;
  kind: CreditEntryKind;
  amount: number;
  runId: string | null;
  note: string | null;
  createdAt: string;
}

/** Lists the ledger entries of the caller's account, newest first. */
export async function listCreditEntries(ctx: Context, page: PageRequest): Promise<Page<CreditEntryItem>> {
  const { limit, offset = 0, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const rows = await ctx.db.query<CreditEntryItem[]>(
    `select id, kind, amount::float8 as amount, run_id as "runId", note, iso(created_at) as "createdAt"
       from credit_entries where account_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3 offset $4`,
    [ctx.actor.accountId, after, limit + 1, offset],
  );
  return toPage(rows, page, cursorOfRow);
}
