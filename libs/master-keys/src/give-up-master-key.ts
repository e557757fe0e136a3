import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type KeyRing, seal } from '@lensforge/vault';
import { type MasterKeySetting, type Remedy, type SealedColumn, sealedColumns } from './sealed-columns.js';
import { identitySql, isRow, versionBytes, versionIn } from './stored-values.js';

export interface LostKey {
  setting: MasterKeySetting;
  version: number;
  /** With the key that replaces the lost one. */
  ring: KeyRing;
}

/** The values of a column that only the lost key could open. */
export interface GivenUp {
  column: string;
  values: number;
}

/**
 * Removes or renews all values that only a lost master key can open, and forgets the key, so that the platform starts with
 * another one.
 */
export function giveUpMasterKey(ctx: Context, { setting, version, ring }: LostKey): Promise<GivenUp[]> {
  return inTransaction(ctx, async (ctx) => {
    const given: GivenUp[] = [];
    for (const sealed of sealedColumns[setting]) {
      const values = await giveUp(ctx, sealed, { version: versionBytes(version), ring });
      if (values > 0) given.push({ column: `${sealed.table}.${sealed.column}`, values });
    }
    await ctx.db.query('delete from master_key_fingerprints where setting = $1 and version = $2', [setting, version]);
    return given;
  });
}

async function giveUp(
  ctx: Context,
  sealed: SealedColumn,
  { version, ring }: { version: Buffer; ring: KeyRing },
): Promise<number> {
  const { table, column, whenLost } = sealed;
  const isLost = `${versionIn(column)} = $1`;
  const change = async (sql: string): Promise<number> =>
    (await ctx.db.query<[unknown, number]>(`${sql} where ${isLost}`, [version]))[1];
  switch (whenLost.by) {
    case 'deleting its row':
      return change(`delete from ${table}`);
    case 'clearing':
      return change(`update ${table} set ${column} = null, ${whenLost.also}`);
    case 'renewing':
      return renew(ctx, sealed, { ...whenLost, version, ring });
  }
}

type Renewal = Extract<Remedy, { by: 'renewing' }> & { version: Buffer; ring: KeyRing };

interface LostValue {
  key: string[];
  owner: string;
  source: string | null;
}

async function renew(
  ctx: Context,
  sealed: SealedColumn,
  { source = 'null', also = '', version, ring }: Renewal,
): Promise<number> {
  const { table, column, contextOf } = sealed;
  const { key, owner } = identitySql(sealed);
  const rows = await ctx.db.query<LostValue[]>(
    `select ${key} as key, ${owner} as owner, ${source} as source from ${table} where ${versionIn(column)} = $1 for update`,
    [version],
  );
  for (const row of rows) {
    const value = row.source ?? `whsec_${randomBytes(32).toString('base64')}`;
    const digest = createHash('sha256').update(value).digest();
    await ctx.db.query(
      `update ${table} set ${column} = $1${also && `, ${also}`} where ${isRow(sealed, '$2')} and ${versionIn(column)} = $3`,
      [seal(ring, contextOf(row.key, row.owner), value), row.key, version, ...(also.includes('$4') ? [digest] : [])],
    );
  }
  return rows.length;
}
