import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { SealBroken } from './seal-broken.js';

/** The one place a boxed secret may be opened at, and everything else that has to stay as it was. Not stored with it. */
export type BoxContext = readonly (string | null)[];

/** A secret that whoever knows the public key can close, and only the holder of the private one can open. */
export interface SealedBox {
  /** The data key, wrapped with the public key. Without it nobody opens the content any more. */
  dataKey: Buffer;
  content: Buffer;
}

export interface BoxKeys {
  publicKey: Buffer;
  /** PKCS #8, to be sealed before it is stored. */
  privateKey: Buffer;
}

const FORMAT = 1;
const POINT = 32;
const NONCE = 12;
const TAG = 16;
const KEY = 32;
const HEADER = 1 + POINT;
const WRAPPED = HEADER + NONCE + KEY + TAG;

export function makeBoxKeys(): BoxKeys {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return { publicKey: rawOf(publicKey), privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }) };
}

export const readPrivateKey = (pkcs8: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });

/** The secret is wiped from the buffer that was given. */
export function sealBox(publicKey: Uint8Array, place: BoxContext, secret: Buffer): SealedBox {
  const dataKey = randomBytes(KEY);
  try {
    return {
      dataKey: wrapKey(publicKey, place, dataKey),
      content: lock(dataKey, aadOf(place, 'content'), secret),
    };
  } finally {
    dataKey.fill(0);
    secret.fill(0);
  }
}

/** To be wiped by whoever asked, as soon as it was used. */
export function openBox(privateKey: KeyObject, place: BoxContext, { dataKey: wrapped, content }: SealedBox): Buffer {
  const dataKey = unwrapKey(privateKey, place, wrapped);
  try {
    return unlock(dataKey, aadOf(place, 'content'), content, place);
  } finally {
    dataKey.fill(0);
  }
}

/** Wraps the data key for another pair; the content is not opened. */
export function rewrapKey(
  privateKey: KeyObject,
  publicKey: Uint8Array,
  place: BoxContext,
  wrapped: Uint8Array,
): Buffer {
  const dataKey = unwrapKey(privateKey, place, wrapped);
  try {
    return wrapKey(publicKey, place, dataKey);
  } finally {
    dataKey.fill(0);
  }
}

/** format (1) | ephemeral public key (32) | nonce (12) | data key (32) | tag (16) */
function wrapKey(publicKey: Uint8Array, place: BoxContext, dataKey: Buffer): Buffer {
  const recipient = publicFrom(publicKey);
  const ephemeral = generateKeyPairSync('x25519');
  const point = rawOf(ephemeral.publicKey);
  const key = agreed(ephemeral.privateKey, recipient, point, publicKey);
  try {
    return Buffer.concat([Buffer.from([FORMAT]), point, lock(key, aadOf(place, 'data-key'), dataKey)]);
  } finally {
    key.fill(0);
  }
}

function unwrapKey(privateKey: KeyObject, place: BoxContext, wrapped: Uint8Array): Buffer {
  const box = Buffer.from(wrapped);
  if (box.length !== WRAPPED || box[0] !== FORMAT) throw new SealBroken('malformed', whereOf(place));
  const point = box.subarray(1, HEADER);
  let key: Buffer;
  try {
    key = agreed(privateKey, publicFrom(point), point, rawOf(createPublicKey(privateKey)));
  } catch {
    throw new SealBroken('not_authentic', whereOf(place));
  }
  try {
    return unlock(key, aadOf(place, 'data-key'), box.subarray(HEADER), place);
  } finally {
    key.fill(0);
  }
}

/** Both public keys go into the key, so that a box for one recipient is none for another. */
function agreed(own: KeyObject, other: KeyObject, ephemeral: Uint8Array, recipient: Uint8Array): Buffer {
  const shared = diffieHellman({ privateKey: own, publicKey: other });
  try {
    return Buffer.from(hkdfSync('sha256', shared, Buffer.concat([ephemeral, recipient]), 'lensforge sealed box', KEY));
  } finally {
    shared.fill(0);
  }
}

function lock(key: Buffer, aad: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function unlock(key: Buffer, aad: Buffer, box: Uint8Array, place: BoxContext): Buffer {
  const bytes = Buffer.from(box);
  if (bytes.length < NONCE + TAG) throw new SealBroken('malformed', whereOf(place));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(aad)
    .setAuthTag(bytes.subarray(-TAG));
  const plain = decipher.update(bytes.subarray(NONCE, -TAG));
  try {
    decipher.final();
    return plain;
  } catch {
    plain.fill(0);
    throw new SealBroken('not_authentic', whereOf(place));
  }
}

// JSON keeps the members apart: no choice of names can make two places look alike.
const aadOf = (place: BoxContext, part: 'content' | 'data-key'): Buffer =>
  Buffer.from(JSON.stringify(['lensforge-box', FORMAT, part, ...place]));

const whereOf = ([table = '', id = '']: BoxContext): string => `The sealed value in ${table ?? ''} of row ${id ?? ''}`;

const spkiOfX25519 = Buffer.from('302a300506032b656e032100', 'hex');

const publicFrom = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([spkiOfX25519, raw]), format: 'der', type: 'spki' });

const rawOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(-POINT);
