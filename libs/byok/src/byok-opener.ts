import type { KeyObject } from 'node:crypto';
import { openBox } from '@lensforge/vault';
import type { KeyRing } from '@lensforge/vault';
import type { EntityManager } from 'typeorm';
import { openPrivateKey } from './key-pairs.js';
import { placeOf } from './key-place.js';

export interface OpenedKey {
  provider: string;
  /** Where an endpoint of its owner is: whoever sent the secret elsewhere would give it away. */
  baseUrl: string | null;
  /** To be wiped as soon as it was used. */
  secret: Buffer;
}

interface Row {
  provider: string;
  baseUrl: string | null;
  keyPair: number;
  dataKey: Buffer;
  content: Buffer;
  privateKey: Buffer;
}

/** Opens keys of users: for run-workers, the only ones that hold the master key of the pairs. */
export class ByokOpener {
  private readonly pairs = new Map<string, KeyObject>();

  constructor(private readonly ring: KeyRing) {}

  /** Undefined when the account has no such key, or no longer. */
  async open(
    db: EntityManager,
    { keyId, accountId }: { keyId: string; accountId: string },
  ): Promise<OpenedKey | undefined> {
    const [row] = await db.query<Row[]>(
      `select k.provider, k.base_url as "baseUrl", k.key_pair as "keyPair", k.data_key as "dataKey", k.secret as content,
              p.private_key as "privateKey"
         from byok_keys k join byok_key_pairs p on p.version = k.key_pair
        where k.id = $1 and k.account_id = $2 and k.revoked_at is null`,
      [keyId, accountId],
    );
    if (!row) return undefined;
    const { provider, baseUrl, dataKey, content } = row;
    const place = placeOf({ id: keyId, accountId, provider, baseUrl });
    return { provider, baseUrl, secret: openBox(this.pairOf(row), place, { dataKey, content }) };
  }

  /** Keys are opened per run; what opens them, once in the life of a pair. */
  private pairOf({ keyPair, privateKey }: Row): KeyObject {
    const name = privateKey.toString('base64');
    const known = this.pairs.get(name);
    if (known) return known;
    const opened = openPrivateKey(this.ring, keyPair, privateKey);
    this.pairs.set(name, opened);
    return opened;
  }
}

/** Says that a key was used, at most once a minute. */
export async function noteByokUse(db: EntityManager, keyId: string): Promise<void> {
  await db.query(
    `update byok_keys set last_used_at = now()
      where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [keyId],
  );
}
