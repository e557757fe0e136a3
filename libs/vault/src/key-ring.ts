import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

export interface MasterKey {
  version: number;
  key: string;
}

const KEY_BYTES = 32;
const FINGERPRINT_BYTES = 8;
const NEWEST_VERSION = 0xffff_ffff;

/** Master keys by version. */
export class KeyRing {
  readonly newest: number;
  readonly #keys: ReadonlyMap<number, KeyObject>;

  constructor(keys: ReadonlyMap<number, KeyObject>) {
    this.#keys = keys;
    this.newest = Math.max(...keys.keys());
  }

  get versions(): number[] {
    return [...this.#keys.keys()].sort((one, other) => one - other);
  }

  key(version: number): KeyObject | undefined {
    return this.#keys.get(version);
  }

  /** A few bytes of an HMAC that identify a key without revealing it. Undefined for an unknown version. */
  fingerprint(version: number, purpose: string): Buffer | undefined {
    const key = this.#keys.get(version);
    if (!key) return undefined;
    const text = JSON.stringify(['lensforge master key fingerprint', purpose, version]);
    return createHmac('sha256', key).update(text).digest().subarray(0, FINGERPRINT_BYTES);
  }
}

export function keyRing(masterKeys: readonly MasterKey[]): KeyRing {
  if (masterKeys.length === 0) throw new Error('The key ring needs at least one master key.');
  const keys = new Map<number, KeyObject>();
  for (const { version, key } of masterKeys) {
    if (!Number.isInteger(version) || version < 1 || version > NEWEST_VERSION)
      throw new Error(`Master key version ${version} must be an integer from 1 on.`);
    if (keys.has(version)) throw new Error(`Master key version ${version} is given twice.`);
    keys.set(version, createSecretKey(decodeKey(version, key)));
  }
  return new KeyRing(keys);
}

/** Parses `<base64>` (version 1) or `1:<base64>,2:<base64>`, the format of LENSFORGE_MASTER_KEY during a rotation. */
export function readMasterKeys(text: string): MasterKey[] {
  return text.split(',').map((part) => {
    const [, version, key] = /^(?:(\d{1,10}):)?(.*)$/s.exec(part.trim()) ?? [];
    return { version: Number(version ?? 1), key: key ?? '' };
  });
}

/** The reason why a master key setting is invalid; undefined when it is valid. */
export function masterKeysFault(text: string): string | undefined {
  try {
    keyRing(readMasterKeys(text));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const padding = /(?<!=)=+$/;

function decodeKey(version: number, key: string): Buffer {
  const bytes = Buffer.from(key, 'base64');
  const canonical = bytes.toString('base64').replace(padding, '') === key.replace(padding, '');
  if (!canonical || bytes.length !== KEY_BYTES)
    throw new Error(
      `Master key version ${version} must be ${KEY_BYTES} random bytes in base64 (make one with: openssl rand -base64 32).`,
    );
  return bytes;
}
