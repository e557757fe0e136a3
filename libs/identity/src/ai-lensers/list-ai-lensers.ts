import type { AiLenserItem, AiLenserStatus } from '@lensforge/contracts';
import type { Context, CountedPage } from '@lensforge/core';
import { aiLensers, publicColumns } from './ai-lenser-rows.js';

export interface AiLenserFilter {
  /** A part of the handle or display name. */
  q?: string | undefined;
  owner?: string | undefined;
  status?: AiLenserStatus | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

const maxCounted = 10_000;

/** Lists AI lensers, newest first; archived ones on request. */
export async function listAiLensers(ctx: Context, filter: AiLenserFilter = {}): Promise<CountedPage<AiLenserItem>> {
  const { q, owner, status = 'active', limit = 20, offset = 0 } = filter;
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const ofOwner = owner === undefined ? '' : ` and a.owner_account_id = ${bind(owner)}`;
  const named = q === undefined ? '' : ` and (a.handle || ' ' || a.display_name) ilike ${bind(containing(q))}`;
  const found = `${aiLensers} where l.archived_at is ${status === 'active' ? '' : 'not '}null${ofOwner}${named}`;
  const [{ total }] = await ctx.db.query<[{ total: number }]>(
    `select count(*)::int as total from (select from ${found} limit ${maxCounted}) as counted`,
    [...parameters],
  );
  const rows = await ctx.db.query<AiLenserItem[]>(
    `select ${publicColumns} from ${found} order by l.account_id desc limit ${bind(limit + 1)} offset ${bind(offset)}::bigint`,
    parameters,
  );
  return { items: rows.slice(0, limit), total, limit, offset, hasMore: rows.length > limit };
}

const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
