import type { Context } from '@lensforge/core';
import { readKeyVersion } from '@lensforge/vault';
import { boxedTables } from './boxed-tables.js';

/** Removes the secrets for run-workers that only a lost master key could open, and returns how many each table had. */
export async function giveUpBoxedSecrets(ctx: Context, masterVersion: number): Promise<Map<string, number>> {
  const pairs = await ctx.db.query<{ version: number; privateKey: Buffer }[]>(
    'select version, private_key as "privateKey" from byok_key_pairs',
  );
  const lost = pairs.filter(({ privateKey }) => readKeyVersion(privateKey) === masterVersion);
  const versions = lost.map(({ version }) => version);
  const given = new Map<string, number>();
  for (const { table, whenLost } of boxedTables) {
    const [, values] = await ctx.db.query<[unknown, number]>(`${whenLost} where key_pair = any ($1)`, [versions]);
    if (values > 0) given.set(table, values);
  }
  return given;
}
