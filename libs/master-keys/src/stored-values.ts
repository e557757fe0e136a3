import type { Context } from '@lensforge/core';
import type { SealContext, KeyRing } from '@lensforge/vault';
import { SealBroken, rewrap } from '@lensforge/vault';
import type { MasterKeySetting, SealedColumn } from './sealed-columns.js';
import { sealedColumns } from './sealed-columns.js';

type Db = Pick<Context, 'db'>;

export interface StoredValue {
  key: string[];
  owner: string;
  sealed: Buffer;
}

/** How many stored values a master key seals, by its version; `tables` are those that they are in. */
export type Uses = ReadonlyMap<number, { values: number; tables: readonly string[] }>;

/** Format (1 byte) and version of the master key (4 bytes) are at the front of each sealed value. */
export const versionIn = (column: string): string => `substring(${column} from 2 for 4)`;

export function versionBytes(version: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(version);
  return bytes;
}

/** Primary key and owner of a value, in SQL. */
export const identitySql = ({ key, owner }: SealedColumn): { key: string; owner: string } => ({
  key: `array[${key.map(([each]) => `${each}::text`).join(', ')}]`,
  owner: `${owner}::text`,
});

export async function countUses(ctx: Db, setting: MasterKeySetting): Promise<Uses> {
  const uses = new Map<number, { values: number; tables: string[] }>();
  for (const { table, column } of sealedColumns[setting]) {
    const rows = await ctx.db.query<{ version: Buffer; values: number }[]>(
      `select ${versionIn(column)} as version, count(*)::int as values from ${table} where ${column} is not null group by 1`,
    );
    for (const { version, values } of rows) {
      const use = uses.get(version.readUInt32BE()) ?? { values: 0, tables: [] };
      const tables = use.tables.includes(table) ? use.tables : [...use.tables, table];
      uses.set(version.readUInt32BE(), { values: use.values + values, tables });
    }
  }
  return uses;
}

const samples = 20;

/** True when some stored value of a version can be opened. A few are tried, as any one may have been altered. */
export async function canOpenSome(
  ctx: Db,
  setting: MasterKeySetting,
  ring: KeyRing,
  version: number,
): Promise<boolean> {
  for (const column of sealedColumns[setting]) {
    const { key, owner } = identitySql(column);
    const rows = await ctx.db.query<StoredValue[]>(
      `select ${key} as key, ${owner} as owner, ${column.column} as sealed from ${column.table}
        where ${versionIn(column.column)} = $1 limit ${samples}`,
      [versionBytes(version)],
    );
    if (rows.some((row) => rewrapped(ring, column.contextOf(row.key, row.owner), row.sealed))) return true;
  }
  return false;
}

/** The value under the newest key of the ring; undefined when it cannot be opened. */
export function rewrapped(ring: KeyRing, place: SealContext, sealed: Buffer): Buffer | undefined {
  try {
    return rewrap(ring, place, sealed);
  } catch (reason) {
    if (reason instanceof SealBroken) return undefined;
    throw reason;
  }
}
