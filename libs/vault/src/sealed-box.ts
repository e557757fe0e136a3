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

/** The table, row and further values that a box is bound to. Opening needs the same values; they are not stored in it. */
export type BoxContext = readonly (string | null)[];

/** A secret encrypted with a public key; only the private key opens it. */
export interface SealedBox {
  /** The data key, wrapped with the public key. Deleting it makes the content unreadable. */
  dataKey: Buffer;
  content: Buffer;
}

export interface BoxKeys {
  publicKey: Buffer;
  /** In PKCS #8; seal it before it is stored. */
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
  return { publicKey: exportRaw(publicKey), privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }) };
}

export const readPrivateKey = (pkcs8: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });

/** Encrypts a secret and wipes the buffer that contained it. */
export function sealBox(publicKey: Uint8Array, context: BoxContext, secret: Buffer): SealedBox {
  const dataKey = randomBytes(KEY);
  try {
    return {
      dataKey: wrapKey(publicKey, context, dataKey),
      content: encrypt(dataKey, toAad(context, 'content'), secret),
    };
  } finally {
    dataKey.fill(0);
    secret.fill(0);
  }
}

/** Decrypts a secret. The caller must wipe the buffer after use. */
export function openBox(privateKey: KeyObject, context: BoxContext, { dataKey: wrapped, content }: SealedBox): Buffer {
  const dataKey = unwrapKey(privateKey, context, wrapped);
  try {
    return decrypt(dataKey, toAad(context, 'content'), content, context);
  } finally {
    dataKey.fill(0);
  }
}

/** Wraps the data key for another key pair, without decrypting the content. */
export function rewrapKey(
  privateKey: KeyObject,
  publicKey: Uint8Array,
  context: BoxContext,
  wrapped: Uint8Array,
): Buffer {
  const dataKey = unwrapKey(privateKey, context, wrapped);
  try {
    return wrapKey(publicKey, context, dataKey);
  } finally {
    dataKey.fill(0);
  }
}

/** format (1) | ephemeral public key (32) | nonce (12) | data key (32) | tag (16) */
function wrapKey(publicKey: Uint8Array, context: BoxContext, dataKey: Buffer): Buffer {
  const recipient = publicFrom(publicKey);
  const ephemeral = generateKeyPairSync('x25519');
  const point = exportRaw(ephemeral.publicKey);
  const key = deriveKey(ephemeral.privateKey, recipient, point, publicKey);
  try {
    return Buffer.concat([Buffer.from([FORMAT]), point, encrypt(key, toAad(context, 'data-key'), dataKey)]);
  } finally {
    key.fill(0);
  }
}

function unwrapKey(privateKey: KeyObject, context: BoxContext, wrapped: Uint8Array): Buffer {
  const box = Buffer.from(wrapped);
  if (box.length !== WRAPPED || box[0] !== FORMAT) throw new SealBroken('malformed', describeContext(context));
  const point = box.subarray(1, HEADER);
  let key: Buffer;
  try {
    key = deriveKey(privateKey, publicFrom(point), point, exportRaw(createPublicKey(privateKey)));
  } catch {
    throw new SealBroken('not_authentic', describeContext(context));
  }
  try {
    return decrypt(key, toAad(context, 'data-key'), box.subarray(HEADER), context);
  } finally {
    key.fill(0);
  }
}

/** Derives a key from the shared secret and both public keys, so that it is bound to the recipient. */
function deriveKey(own: KeyObject, other: KeyObject, ephemeral: Uint8Array, recipient: Uint8Array): Buffer {
  const shared = diffieHellman({ privateKey: own, publicKey: other });
  try {
    return Buffer.from(hkdfSync('sha256', shared, Buffer.concat([ephemeral, recipient]), 'lensforge sealed box', KEY));
  } finally {
    shared.fill(0);
  }
}

function encrypt(key: Buffer, aad: Buffer, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG }).setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, aad: Buffer, box: Uint8Array, context: BoxContext): Buffer {
  const bytes = Buffer.from(box);
  if (bytes.length < NONCE + TAG) throw new SealBroken('malformed', describeContext(context));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(aad)
    .setAuthTag(bytes.subarray(-TAG));
  const plain = decipher.update(bytes.subarray(NONCE, -TAG));
  try {
    decipher.final();
    return plain;
  } catch {
    plain.fill(0);
    throw new SealBroken('not_authentic', describeContext(context));
  }
}

// JSON separates the members, so that different contexts never give the same bytes.
const toAad = (context: BoxContext, part: 'content' | 'data-key'): Buffer =>
  Buffer.from(JSON.stringify(['lensforge-box', FORMAT, part, ...context]));

const describeContext = ([table = '', id = '']: BoxContext): string =>
  `The sealed value in ${table ?? ''} of row ${id ?? ''}`;

const spkiOfX25519 = Buffer.from('302a300506032b656e032100', 'hex');

const publicFrom = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([spkiOfX25519, raw]), format: 'der', type: 'spki' });

const exportRaw = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(-POINT);
