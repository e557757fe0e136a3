import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { codeOf, inTransaction } from '@lensforge/database';
import { SealBroken, rewrapKey, keyVersionOf } from '@lensforge/vault';
import type { KeyRing } from '@lensforge/vault';
import type { KeyObject } from 'node:crypto';
import { addKeyPair, openPrivateKey } from './key-pairs.js';
import type { KeyRow } from './key-place.js';
import { placeOf } from './key-place.js';

export interface MasterRotation {
  /** The pair that all keys are wrapped for now, and the version of the master key that seals it. */
  pair: number;
  master: number;
  rewrapped: number;
  /** Keys that are wrapped for an older pair: 0 at the end. */
  left: number;
  /** Which of them nobody can open, because their rows were altered. The pair they are wrapped for is kept. */
  broken: string[];
}

interface Pair {
  version: number;
  publicKey: Buffer;
  privateKey: Buffer;
}

interface Wrapped extends KeyRow {
  keyPair: number;
  dataKey: Buffer;
}

const inUse = '23503';

/**
 * Wraps all keys of users for a pair that the newest master key seals, while runs go on with them, and destroys the older
 * pairs. What was done stays done when it is interrupted: the next call goes on from there.
 */
export async function rotateByokMaster(
  ctx: Context,
  ring: KeyRing,
  { batch = 100, onProgress }: { batch?: number; onProgress?: (rewrapped: number) => void } = {},
): Promise<MasterRotation> {
  const pairs = await pairsOf(ctx, ring);
  const newest = pairs[0];
  if (!newest) throw new Error('there is no pair of keys: no run-worker has started with LENSFORGE_BYOK_MASTER_KEY');
  const opened = new Map<number, KeyObject>();
  for (const { version, privateKey } of pairs.slice(1)) opened.set(version, openPrivateKey(ring, version, privateKey));
  const broken: string[] = [];
  let rewrapped = 0;
  for (;;) {
    const moved = await moveSome(ctx, { newest, opened, batch, broken });
    if (moved === undefined) {
      if (broken.length > 0 || (await dropOlder(ctx, newest))) break;
      continue;
    }
    rewrapped += moved;
    onProgress?.(rewrapped);
  }
  const [{ left }] = await ctx.db.query<[{ left: number }]>(
    'select count(*)::int as left from byok_keys where key_pair is not null and key_pair <> $1',
    [newest.version],
  );
  const rotation = { pair: newest.version, master: ring.newest, rewrapped, left, broken };
  await recordAudit(ctx, { accountId: ctx.actor.accountId, action: 'byok_master.rotated', details: { ...rotation } });
  return rotation;
}

/** The newest first; one that the newest master key seals is made when there is none, or when all is done for that one. */
async function pairsOf(ctx: Context, ring: KeyRing): Promise<Pair[]> {
  const read = () =>
    ctx.db.query<Pair[]>(
      `select version, public_key as "publicKey", private_key as "privateKey" from byok_key_pairs order by version desc`,
    );
  const pairs = await read();
  const [newest] = pairs;
  const interrupted = pairs.length > 1 && newest && keyVersionOf(newest.privateKey) === ring.newest;
  if (!newest || interrupted) return pairs;
  await addKeyPair(ctx, ring, newest.version + 1);
  return read();
}

interface Move {
  newest: Pair;
  opened: ReadonlyMap<number, KeyObject>;
  batch: number;
  /** Grows by what cannot be opened. */
  broken: string[];
}

/** How many of a batch could be wrapped anew; undefined when none was left to be tried. */
function moveSome(ctx: Context, { newest, opened, batch, broken }: Move): Promise<number | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const rows = await ctx.db.query<Wrapped[]>(
      `select id, account_id as "accountId", provider, base_url as "baseUrl", key_pair as "keyPair", data_key as "dataKey"
         from byok_keys where key_pair < $1 and id <> all ($3) order by key_pair, id limit $2 for update`,
      [newest.version, batch, broken],
    );
    let moved = 0;
    for (const row of rows) {
      const dataKey = rewrapped(row, newest, opened);
      if (!dataKey) {
        broken.push(row.id);
        continue;
      }
      await ctx.db.query('update byok_keys set key_pair = $2, data_key = $3 where id = $1', [
        row.id,
        newest.version,
        dataKey,
      ]);
      moved += 1;
    }
    return rows.length > 0 ? moved : undefined;
  });
}

function rewrapped(row: Wrapped, { publicKey }: Pair, opened: Move['opened']): Buffer | undefined {
  const from = opened.get(row.keyPair);
  if (!from) throw new Error(`key ${row.id} is wrapped for pair ${row.keyPair}, which is not there`);
  try {
    return rewrapKey(from, publicKey, placeOf(row), row.dataKey);
  } catch (reason) {
    if (reason instanceof SealBroken) return undefined;
    throw reason;
  }
}

/** False when a key was closed for an older pair in the meantime. */
async function dropOlder(ctx: Context, { version }: Pair): Promise<boolean> {
  try {
    await ctx.db.query('delete from byok_key_pairs where version < $1', [version]);
    return true;
  } catch (reason) {
    if (codeOf(reason) === inUse) return false;
    throw reason;
  }
}
