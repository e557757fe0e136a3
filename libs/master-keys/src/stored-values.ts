import type { Context } from '@lensforge/core';
import { type KeyRing, SealBroken, type SealContext, rewrap } from '@lensforge/vault';
import { type MasterKeySetting, type SealedColumn, sealedColumns } from './sealed-columns.js';

type Db = Pick<Context, 'db'>;

export interface StoredValue {
  key: string[];
  owner: string;
  sealed: Buffer;
}

/** The number of sealed values and their tables, by master key version. */
export type Uses = ReadonlyMap<number, { values: number; tables: readonly string[] }>;

/** SQL for the master key version of a sealed value: 4 bytes after the format byte. */
export const versionIn = (column: string): string => `substring(${column} from 2 for 4)`;

export function versionBytes(version: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(version);
  return bytes;
}

/** SQL for the primary key and owner of a value. */
export const identitySql = ({ key, owner }: SealedColumn): { key: string; owner: string } => ({
  key: `array[${key.map(([each]) => `${each}::text`).join(', ')}]`,
  owner: `${owner}::text`,
});

/** SQL that is true for the row whose primary key is the array of texts in a parameter. */
export const isRow = ({ key }: Pick<SealedColumn, 'key'>, parameter: string): string =>
  key.map(([each, type], at) => `${each} = (${parameter}::text[])[${at + 1}]::${type}`).join(' and ');

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

/** True when one of a few stored values of a version can be opened; single values may have been altered. */
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

/** The value rewrapped with the ring's newest key; undefined when it cannot be opened. */
export function rewrapped(ring: KeyRing, context: SealContext, sealed: Buffer): Buffer | undefined {
  try {
    return rewrap(ring, context, sealed);
  } catch (reason) {
    if (reason instanceof SealBroken) return undefined;
    throw reason;
  }
}
