import type { KeyObject } from 'node:crypto';
import { type BoxContext, type KeyRing, openBox } from '@lensforge/vault';
import type { EntityManager } from 'typeorm';
import { openPrivateKey } from './key-pairs.js';
import { keyBinding } from './key-binding.js';
import type { WorkerBox } from './seal-for-workers.js';

export interface OpenedKey {
  provider: string;
  /** The address of the owner's endpoint; the secret must be sent nowhere else. */
  baseUrl: string | null;
  /** The caller must wipe it after use. */
  secret: Buffer;
}

/** A stored secret with the private half of its key pair, which the master key seals. */
export interface StoredBox extends WorkerBox {
  privateKey: Buffer;
}

interface Row extends StoredBox {
  provider: string;
  baseUrl: string | null;
}

/** Decrypts BYOK keys in run-workers, which hold the master key. */
export class ByokOpener {
  private readonly privateKeys = new Map<string, KeyObject>();

  constructor(private readonly ring: KeyRing) {}

  /** Decrypts a key; undefined when the account has no such key or has revoked it. */
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
    const { provider, baseUrl } = row;
    return { provider, baseUrl, secret: this.openBox(row, keyBinding({ id: keyId, accountId, provider, baseUrl })) };
  }

  /** Decrypts a secret that sealForWorkers has sealed. The caller must wipe it after use. */
  openBox(box: StoredBox, binding: BoxContext): Buffer {
    return openBox(this.getPrivateKey(box), binding, box);
  }

  /** Decrypts each private key once per process. */
  private getPrivateKey({ keyPair, privateKey }: StoredBox): KeyObject {
    const cacheKey = privateKey.toString('base64');
    const known = this.privateKeys.get(cacheKey);
    if (known) return known;
    const opened = openPrivateKey(this.ring, keyPair, privateKey);
    this.privateKeys.set(cacheKey, opened);
    return opened;
  }
}

/** Records the use of a key, at most once a minute. */
export async function recordByokUse(db: EntityManager, keyId: string): Promise<void> {
  await db.query(
    `update byok_keys set last_used_at = now()
      where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [keyId],
  );
}
