import type { Context } from '@lensforge/core';
import type { BoundTo, KeyRing } from '@lensforge/vault';
import { SealBroken, rewrap } from '@lensforge/vault';

/** A column with values that LENSFORGE_MASTER_KEY seals. */
interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key and their types. */
  key: readonly (readonly [column: string, type: string])[];
  /** Where a value is bound to, by its primary key and whose it is. */
  place: (key: readonly string[], owner: string) => BoundTo;
  /** Whose it is, in SQL. */
  owner: string;
}

const webhookSecrets = (table: string): SealedColumn[] =>
  ['secret', 'previous_secret'].map((column) => ({
    ...{ table, column, key: [['id', 'uuid']], owner: 'account_id' },
    place: ([id = ''], owner) => ({ table, column: 'secret', id, owner }),
  }));

const sealedColumns: readonly SealedColumn[] = [
  {
    ...{ table: 'signing_keys', column: 'private_key', key: [['kid', 'text']], owner: `'platform'` },
    place: ([id = ''], owner) => ({ table: 'signing_keys', column: 'private_key', id, owner }),
  },
  ...webhookSecrets('webhook_endpoints'),
  ...webhookSecrets('incoming_webhooks'),
  {
    ...{ table: 'partner_bundles', column: 'bundle', owner: 'account_id' },
    key: [
      ['account_id', 'uuid'],
      ['partner', 'text'],
    ],
    place: ([, id = ''], owner) => ({ table: 'partner_bundles', column: 'bundle', id, owner }),
  },
];

export interface Rewrapping {
  rewrapped: number;
  /** Sealed with an older master key: 0 at the end. */
  left: number;
  /** Values that nobody can open, because their rows were altered. */
  broken: string[];
}

interface Row {
  key: string[];
  owner: string;
  sealed: Buffer;
}

/** format (1 byte) and version of the master key (4 bytes) are at the front of each value. */
const isOld = (column: string): string => `${column} is not null and substring(${column} from 2 for 4) <> $1`;

/**
 * Wraps what is sealed with older master keys anew with the newest, while services use it. What was done stays done when
 * it is interrupted; what somebody else changes at the same moment stays as they left it.
 */
export async function rewrapSealed(
  ctx: Context,
  ring: KeyRing,
  { batch = 100, onProgress }: { batch?: number; onProgress?: (rewrapped: number) => void } = {},
): Promise<Rewrapping> {
  const newest = Buffer.alloc(4);
  newest.writeUInt32BE(ring.newest);
  const outcome: Rewrapping = { rewrapped: 0, left: 0, broken: [] };
  for (const { table, column, key, owner, place } of sealedColumns) {
    const keys = `array[${key.map(([each]) => `${each}::text`).join(', ')}]`;
    const isRow = key.map(([each, type], at) => `${each} = ($2::text[])[${at + 1}]::${type}`).join(' and ');
    for (let after: string[] | null = null; ;) {
      const rows: Row[] = await ctx.db.query<Row[]>(
        `select ${keys} as key, ${owner}::text as owner, ${column} as sealed from ${table}
          where ${isOld(column)} and ($2::text[] is null or ${keys} > $2) order by ${keys} limit $3`,
        [newest, after, batch],
      );
      for (const row of rows) {
        const renewed = rewrapped(ring, place(row.key, row.owner), row.sealed);
        if (!renewed) {
          outcome.broken.push(`${table}.${column} of ${row.key.join(' ')}`);
          continue;
        }
        const [, changed] = await ctx.db.query<[unknown, number]>(
          `update ${table} set ${column} = $1 where ${isRow} and ${column} = $3`,
          [renewed, row.key, row.sealed],
        );
        outcome.rewrapped += changed;
      }
      after = rows.at(-1)?.key ?? null;
      if (after === null) break;
      onProgress?.(outcome.rewrapped);
    }
    const [{ left }] = await ctx.db.query<[{ left: number }]>(
      `select count(*)::int as left from ${table} where ${isOld(column)}`,
      [newest],
    );
    outcome.left += left;
  }
  return outcome;
}

function rewrapped(ring: KeyRing, place: BoundTo, sealed: Buffer): Buffer | undefined {
  try {
    return rewrap(ring, place, sealed);
  } catch (reason) {
    if (reason instanceof SealBroken) return undefined;
    throw reason;
  }
}
