import { createCipheriv, createDecipheriv, randomBytes, type CipherKey } from 'node:crypto';
import type { KeyRing } from './key-ring.js';
import { SealBroken } from './seal-broken.js';

/** The one place a sealed value may be opened at; it is authenticated, not stored. */
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
export function seal(ring: KeyRing, boundTo: SealContext, plaintext: string | Uint8Array): Buffer {
  const dataKey = randomBytes(DATA_KEY);
  try {
    const content = lock(dataKey, place(boundTo, 'content'), Buffer.from(plaintext));
    return Buffer.concat([wrap(ring, boundTo, dataKey), content]);
  } finally {
    dataKey.fill(0);
  }
}

export function open(ring: KeyRing, boundTo: SealContext, sealed: Uint8Array): Buffer {
  const { dataKey, content } = unwrap(ring, boundTo, sealed);
  try {
    return unlock(dataKey, place(boundTo, 'content'), content);
  } catch {
    throw new SealBroken('not_authentic', describe(boundTo));
  } finally {
    dataKey.fill(0);
  }
}

/** Wraps the data key anew with the ring's newest master key; the content is not opened. */
export function rewrap(ring: KeyRing, boundTo: SealContext, sealed: Uint8Array): Buffer {
  const { dataKey, content } = unwrap(ring, boundTo, sealed);
  try {
    return Buffer.concat([wrap(ring, boundTo, dataKey), content]);
  } finally {
    dataKey.fill(0);
  }
}

/** The master key version that opens a sealed value, for counting what a rotation still has to do. */
export function keyVersionOf(sealed: Uint8Array): number {
  if (sealed.length < SHORTEST || sealed[0] !== FORMAT) throw new SealBroken('malformed', 'The value');
  return view(sealed).readUInt32BE(1);
}

function wrap(ring: KeyRing, boundTo: SealContext, dataKey: Buffer): Buffer {
  const master = ring.key(ring.newest);
  if (!master) throw new SealBroken('unknown_key', describe(boundTo), ring.newest);
  const header = Buffer.alloc(HEADER);
  header.writeUInt8(FORMAT, 0);
  header.writeUInt32BE(ring.newest, 1);
  return Buffer.concat([header, lock(master, place(boundTo, 'data-key', ring.newest), dataKey)]);
}

function unwrap(ring: KeyRing, boundTo: SealContext, sealed: Uint8Array): { dataKey: Buffer; content: Buffer } {
  if (sealed.length < SHORTEST || sealed[0] !== FORMAT) throw new SealBroken('malformed', describe(boundTo));
  const version = keyVersionOf(sealed);
  const master = ring.key(version);
  if (!master) throw new SealBroken('unknown_key', describe(boundTo), version);
  const end = HEADER + BOX + DATA_KEY;
  try {
    const dataKey = unlock(master, place(boundTo, 'data-key', version), view(sealed).subarray(HEADER, end));
    return { dataKey, content: view(sealed).subarray(end) };
  } catch {
    throw new SealBroken('not_authentic', describe(boundTo), version);
  }
}

function lock(key: CipherKey, place: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(place);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function unlock(key: CipherKey, place: Buffer, box: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(place)
    .setAuthTag(box.subarray(-TAG));
  return Buffer.concat([decipher.update(box.subarray(NONCE, -TAG)), decipher.final()]);
}

// JSON keeps the members apart: no choice of names can make two places look alike.
function place({ table, column, id, owner }: SealContext, part: 'content' | 'data-key', keyVersion = 0): Buffer {
  return Buffer.from(JSON.stringify(['lensforge', FORMAT, part, keyVersion, table, column, id, owner]));
}

function describe({ table, column, id }: SealContext): string {
  return `The sealed value in ${table}.${column} of row ${id}`;
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
