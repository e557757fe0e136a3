import { createCipheriv, createDecipheriv, randomBytes, type CipherKey } from 'node:crypto';
import type { KeyRing } from './key-ring.js';
import { SealBroken } from './seal-broken.js';

/** The row and column of a sealed value. It is authenticated and not stored; opening needs the same context. */
export interface SealContext {
  table: string;
  column: string;
  id: string;
  owner: string;
}

const FORMAT = 1;
const NONCE = 12;
const TAG = 16;
const DATA_KEY = 32;
const HEADER = 5;
const BOX = NONCE + TAG;
const SHORTEST = HEADER + BOX + DATA_KEY + BOX;

/** format (1) | key version (4) | data key boxed by the master key (60) | plaintext boxed by the data key */
export function seal(ring: KeyRing, context: SealContext, plaintext: string | Uint8Array): Buffer {
  const dataKey = randomBytes(DATA_KEY);
  try {
    const content = encrypt(dataKey, additionalData(context, 'content'), Buffer.from(plaintext));
    return Buffer.concat([wrap(ring, context, dataKey), content]);
  } finally {
    dataKey.fill(0);
  }
}

export function open(ring: KeyRing, context: SealContext, sealed: Uint8Array): Buffer {
  const { dataKey, content } = unwrap(ring, context, sealed);
  try {
    return decrypt(dataKey, additionalData(context, 'content'), content);
  } catch {
    throw new SealBroken('not_authentic', describeContext(context));
  } finally {
    dataKey.fill(0);
  }
}

/** Wraps the data key again with the ring's newest master key, without decrypting the content. */
export function rewrap(ring: KeyRing, context: SealContext, sealed: Uint8Array): Buffer {
  const { dataKey, content } = unwrap(ring, context, sealed);
  try {
    return Buffer.concat([wrap(ring, context, dataKey), content]);
  } finally {
    dataKey.fill(0);
  }
}

/** The version of the master key that sealed a value. */
export function readKeyVersion(sealed: Uint8Array): number {
  if (sealed.length < SHORTEST || sealed[0] !== FORMAT) throw new SealBroken('malformed', 'The value');
  return view(sealed).readUInt32BE(1);
}

function wrap(ring: KeyRing, context: SealContext, dataKey: Buffer): Buffer {
  const master = ring.key(ring.newest);
  if (!master) throw new SealBroken('unknown_key', describeContext(context), ring.newest);
  const header = Buffer.alloc(HEADER);
  header.writeUInt8(FORMAT, 0);
  header.writeUInt32BE(ring.newest, 1);
  return Buffer.concat([header, encrypt(master, additionalData(context, 'data-key', ring.newest), dataKey)]);
}

function unwrap(ring: KeyRing, context: SealContext, sealed: Uint8Array): { dataKey: Buffer; content: Buffer } {
  if (sealed.length < SHORTEST || sealed[0] !== FORMAT) throw new SealBroken('malformed', describeContext(context));
  const version = readKeyVersion(sealed);
  const master = ring.key(version);
  if (!master) throw new SealBroken('unknown_key', describeContext(context), version);
  const end = HEADER + BOX + DATA_KEY;
  try {
    const dataKey = decrypt(master, additionalData(context, 'data-key', version), view(sealed).subarray(HEADER, end));
    return { dataKey, content: view(sealed).subarray(end) };
  } catch {
    throw new SealBroken('not_authentic', describeContext(context), version);
  }
}

function encrypt(key: CipherKey, aad: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: CipherKey, aad: Buffer, box: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(aad)
    .setAuthTag(box.subarray(-TAG));
  return Buffer.concat([decipher.update(box.subarray(NONCE, -TAG)), decipher.final()]);
}

// JSON separates the members, so that different contexts never give the same bytes.
function additionalData(
  { table, column, id, owner }: SealContext,
  part: 'content' | 'data-key',
  keyVersion = 0,
): Buffer {
  return Buffer.from(JSON.stringify(['lensforge', FORMAT, part, keyVersion, table, column, id, owner]));
}

function describeContext({ table, column, id }: SealContext): string {
  return `The sealed value in ${table}.${column} of row ${id}`;
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
