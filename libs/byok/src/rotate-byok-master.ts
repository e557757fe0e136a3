import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { getErrorCode, inTransaction } from '@lensforge/database';
import { type KeyRing, SealBroken, readKeyVersion, rewrapKey } from '@lensforge/vault';
import type { KeyObject } from 'node:crypto';
import { addKeyPair, openPrivateKey } from './key-pairs.js';
import { type BoxedTable, boxedTables } from './boxed-tables.js';

export interface MasterRotation {
  /** The version of the key pair that all secrets are wrapped for now. */
  pair: number;
  /** The version of the master key that seals the pair. */
  master: number;
  rewrapped: number;
  /** The number of secrets that are still wrapped for an older pair. */
  left: number;
  /** The ids of rows that cannot be decrypted because their rows were altered. Their pair is kept. */
  broken: string[];
}

interface Pair {
  version: number;
  publicKey: Buffer;
  privateKey: Buffer;
}

interface Wrapped {
  id: string;
  binding: string[];
  keyPair: number;
  dataKey: Buffer;
}

const foreignKeyViolation = '23503';

/**
 * Re-wraps all BYOK keys and secrets of MCP servers for a key pair that the newest master key seals, and deletes the older pairs. Runs can use the keys
 * meanwhile. After an interruption the next call continues.
 */
export async function rotateByokMaster(
  ctx: Context,
  ring: KeyRing,
  { batch = 100, onProgress }: { batch?: number; onProgress?: (rewrapped: number) => void } = {},
): Promise<MasterRotation> {
  const pairs = await readKeyPairs(ctx, ring);
  const newest = pairs[0];
  if (!newest) throw new Error('there is no BYOK key pair: start a run-worker with LENSFORGE_BYOK_MASTER_KEY first');
  const opened = new Map<number, KeyObject>();
  for (const { version, privateKey } of pairs.slice(1)) opened.set(version, openPrivateKey(ring, version, privateKey));
  const broken: string[] = [];
  let rewrapped = 0;
  do {
    for (const table of boxedTables) {
      for (;;) {
        const moved = await moveBatch(ctx, table, { newest, opened, batch, broken });
        if (moved === undefined) break;
        rewrapped += moved;
        onProgress?.(rewrapped);
      }
    }
  } while (broken.length === 0 && !(await dropOlder(ctx, newest)));
  const left = await countOlder(ctx, newest);
  const rotation = { pair: newest.version, master: ring.newest, rewrapped, left, broken };
  await recordAudit(ctx, { accountId: ctx.actor.accountId, action: 'byok_master.rotated', details: { ...rotation } });
  return rotation;
}

/** Reads the key pairs, newest first. Adds one unless there is none yet, or an interrupted rotation has to continue. */
async function readKeyPairs(ctx: Context, ring: KeyRing): Promise<Pair[]> {
  const read = () =>
    ctx.db.query<Pair[]>(
      `select version, public_key as "publicKey", private_key as "privateKey" from byok_key_pairs order by version desc`,
    );
  const pairs = await read();
  const [newest] = pairs;
  const interrupted = pairs.length > 1 && newest && readKeyVersion(newest.privateKey) === ring.newest;
  if (!newest || interrupted) return pairs;
  await addKeyPair(ctx, ring, newest.version + 1);
  return read();
}

interface Move {
  newest: Pair;
  opened: ReadonlyMap<number, KeyObject>;
  batch: number;
  /** The ids of keys that cannot be decrypted; moveBatch adds to them. */
  broken: string[];
}

/** The number of secrets that are wrapped for an older pair. */
async function countOlder(ctx: Context, { version }: Pair): Promise<number> {
  let older = 0;
  for (const { table } of boxedTables) {
    const [{ count }] = await ctx.db.query<[{ count: number }]>(
      `select count(*)::int as count from ${table} where key_pair is not null and key_pair <> $1`,
      [version],
    );
    older += count;
  }
  return older;
}

/** Re-wraps a batch of a table and returns the number of secrets; undefined when none is left to try. */
function moveBatch(
  ctx: Context,
  { table, binding }: BoxedTable,
  { newest, opened, batch, broken }: Move,
): Promise<number | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const rows = await ctx.db.query<Wrapped[]>(
      `select id, ${binding} as binding, key_pair as "keyPair", data_key as "dataKey"
         from ${table} where key_pair < $1 and id <> all ($3) order by key_pair, id limit $2 for update`,
      [newest.version, batch, broken],
    );
    let moved = 0;
    for (const row of rows) {
      const dataKey = rewrapDataKey(row, newest, opened);
      if (!dataKey) {
        broken.push(row.id);
        continue;
      }
      await ctx.db.query(`update ${table} set key_pair = $2, data_key = $3 where id = $1`, [
        row.id,
        newest.version,
        dataKey,
      ]);
      moved += 1;
    }
    return rows.length > 0 ? moved : undefined;
  });
}

function rewrapDataKey(row: Wrapped, { publicKey }: Pair, opened: Move['opened']): Buffer | undefined {
  const from = opened.get(row.keyPair);
  if (!from)
    throw new Error(`The secret of ${row.id} is wrapped for the key pair ${row.keyPair}, which does not exist`);
  try {
    return rewrapKey(from, publicKey, row.binding, row.dataKey);
  } catch (reason) {
    if (reason instanceof SealBroken) return undefined;
    throw reason;
  }
}

/** Deletes the older pairs; false when another process has wrapped a key for one of them meanwhile. */
async function dropOlder(ctx: Context, { version }: Pair): Promise<boolean> {
  try {
    await ctx.db.query('delete from byok_key_pairs where version < $1', [version]);
    return true;
  } catch (reason) {
    if (getErrorCode(reason) === foreignKeyViolation) return false;
    throw reason;
  }
}
