import type { Context } from '@lensforge/core';
import type { KeyRing } from '@lensforge/vault';
import type { MasterKeySetting } from './sealed-columns.js';
import { type Uses, canOpenSome, countUses } from './stored-values.js';
import { WrongMasterKey } from './wrong-master-key.js';

type Db = Pick<Context, 'db'>;

export interface MasterKeyUse {
  setting: MasterKeySetting;
  ring: KeyRing;
  /** The name of the program, for the record. */
  by: string;
  /** True: records no fingerprint of a new version. */
  readOnly?: boolean;
}

interface Recorded {
  version: number;
  fingerprint: Buffer;
  by: string;
  at: string;
}

const rotation: Readonly<Record<MasterKeySetting, string>> = {
  LENSFORGE_MASTER_KEY: 'lensforge-operate rotate-master',
  LENSFORGE_BYOK_MASTER_KEY: 'lensforge-operate rotate-byok-master',
};

/**
 * Throws WrongMasterKey when the keys do not belong to this database. The first program with a key version records its
 * fingerprint; later ones need the same key for it, and every version that stored values use.
 */
export async function checkMasterKey(ctx: Db, use: MasterKeyUse): Promise<void> {
  const recorded = await compare(ctx, use);
  const unknown = use.ring.versions.filter((version) => !recorded.has(version));
  const missing = [...recorded].filter((version) => !use.ring.key(version));
  if (unknown.length === 0 && missing.length === 0) return;
  const uses = await countUses(ctx, use.setting);
  refuseMissingVersion(use, uses);
  for (const version of unknown) {
    const inUse = uses.get(version);
    if (inUse && !(await canOpenSome(ctx, use.setting, use.ring, version)))
      throw opensNoValue(use, version, inUse.tables);
    if (!use.readOnly) await record(ctx, use, version);
  }
  // Another program may have recorded another key in the meantime.
  if (unknown.length > 0) await compare(ctx, use);
}

/** Compares the keys with the recorded fingerprints and returns the recorded versions. */
async function compare(ctx: Db, { setting, ring }: MasterKeyUse): Promise<Set<number>> {
  const rows = await ctx.db.query<Recorded[]>(
    `select version::float8 as version, fingerprint, recorded_by as by, iso(recorded_at) as at
       from master_key_fingerprints where setting = $1 order by version`,
    [setting],
  );
  for (const { version, fingerprint, by, at } of rows) {
    const own = ring.fingerprint(version, setting);
    if (own && !own.equals(fingerprint)) {
      throw new WrongMasterKey(
        `${setting}: version ${version} is not the key that ${by} recorded for this database at ${at}. ` +
          `Give every service the same key; a new key needs a version of its own, as in 1:old,2:new, and "${rotation[setting]}"`,
      );
    }
  }
  return new Set(rows.map(({ version }) => version));
}

async function record(ctx: Db, { setting, ring, by }: MasterKeyUse, version: number): Promise<void> {
  await ctx.db.query(
    `insert into master_key_fingerprints (setting, version, fingerprint, recorded_by) values ($1, $2, $3, $4)
     on conflict (setting, version) do nothing`,
    [setting, version, ring.fingerprint(version, setting), by],
  );
}

function refuseMissingVersion({ setting, ring }: MasterKeyUse, uses: Uses): void {
  for (const [version, { values, tables }] of uses) {
    if (ring.key(version)) continue;
    throw new WrongMasterKey(
      `${setting} lacks version ${version}, which seals ${values} stored ${values === 1 ? 'value' : 'values'} in ${tables.join(', ')}. ` +
        `Give that version too, as in ${version}:key, until "${rotation[setting]}" has sealed them with the newest. ` +
        'If it is lost, docs/key-loss.md says how to go on without it',
    );
  }
}

const opensNoValue = ({ setting }: MasterKeyUse, version: number, tables: readonly string[]): WrongMasterKey =>
  new WrongMasterKey(
    `${setting}: version ${version} opens none of the values in ${tables.join(', ')} that were sealed with a key of this version. ` +
      'Give the key that sealed them',
  );
