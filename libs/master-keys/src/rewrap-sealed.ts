import type { Context } from '@lensforge/core';
import type { KeyRing } from '@lensforge/vault';
import { sealedColumns } from './sealed-columns.js';
import { type StoredValue, identitySql, isRow, rewrapped, versionBytes, versionIn } from './stored-values.js';

export interface RewrapResult {
  rewrapped: number;
  /** Values still sealed with an older master key; 0 when complete. */
  left: number;
  /** Values that cannot be opened because their rows were altered. */
  broken: string[];
}

const isOldSql = (column: string): string => `${column} is not null and ${versionIn(column)} <> $1`;

/**
 * Rewraps values of older versions of LENSFORGE_MASTER_KEY with the newest, while services use them. It can be interrupted
 * and repeated, and never overwrites a value that a service changes at the same time.
 */
export async function rewrapSealed(
  ctx: Context,
  ring: KeyRing,
  { batch = 100, onProgress }: { batch?: number; onProgress?: (rewrapped: number) => void } = {},
): Promise<RewrapResult> {
  const newest = versionBytes(ring.newest);
  const outcome: RewrapResult = { rewrapped: 0, left: 0, broken: [] };
  for (const sealed of sealedColumns.LENSFORGE_MASTER_KEY) {
    const { table, column, contextOf } = sealed;
    const { key, owner } = identitySql(sealed);
    for (let after: string[] | null = null; ;) {
      const rows: StoredValue[] = await ctx.db.query<StoredValue[]>(
        `select ${key} as key, ${owner} as owner, ${column} as sealed from ${table}
          where ${isOldSql(column)} and ($2::text[] is null or ${key} > $2) order by ${key} limit $3`,
        [newest, after, batch],
      );
      for (const row of rows) {
        const renewed = rewrapped(ring, contextOf(row.key, row.owner), row.sealed);
        if (!renewed) {
          outcome.broken.push(`${table}.${column} of ${row.key.join(' ')}`);
          continue;
        }
        const [, changed] = await ctx.db.query<[unknown, number]>(
          `update ${table} set ${column} = $1 where ${isRow(sealed, '$2')} and ${column} = $3`,
          [renewed, row.key, row.sealed],
        );
        outcome.rewrapped += changed;
      }
      after = rows.at(-1)?.key ?? null;
      if (after === null) break;
      onProgress?.(outcome.rewrapped);
    }
    const [{ left }] = await ctx.db.query<[{ left: number }]>(
      `select count(*)::int as left from ${table} where ${isOldSql(column)}`,
      [newest],
    );
    outcome.left += left;
  }
  return outcome;
}
