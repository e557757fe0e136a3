import type { Context } from '@lensforge/core';
import { type MasterKeySetting, sealedColumns } from './sealed-columns.js';
import { countUses } from './stored-values.js';

export interface MasterKeyRecord {
  setting: MasterKeySetting;
  version: number;
  recordedBy: string;
  recordedAt: Date;
  /** The number of stored values that it seals. */
  values: number;
}

/** The recorded master key versions of this database. */
export async function listMasterKeys(ctx: Pick<Context, 'db'>): Promise<MasterKeyRecord[]> {
  const rows = await ctx.db.query<Omit<MasterKeyRecord, 'values'>[]>(
    `select setting, version::float8 as version, recorded_by as "recordedBy", recorded_at as "recordedAt"
       from master_key_fingerprints order by setting desc, version`,
  );
  const settings = Object.keys(sealedColumns) as MasterKeySetting[];
  const uses = new Map(await Promise.all(settings.map(async (each) => [each, await countUses(ctx, each)] as const)));
  return rows.map((row) => ({ ...row, values: uses.get(row.setting)?.get(row.version)?.values ?? 0 }));
}

/** Deletes recorded versions that seal no value: old ones after a rotation, and one recorded by mistake. */
export async function deleteUnusedMasterKeys(ctx: Pick<Context, 'db'>): Promise<MasterKeyRecord[]> {
  const unused = (await listMasterKeys(ctx)).filter(({ values }) => values === 0);
  for (const { setting, version } of unused) {
    await ctx.db.query('delete from master_key_fingerprints where setting = $1 and version = $2', [setting, version]);
  }
  return unused;
}
