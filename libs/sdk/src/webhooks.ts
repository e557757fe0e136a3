import { WebhookVerificationError } from './errors.js';
import type { WebhookEvent } from './events.js';

export interface VerifyOptions {
  /** Seconds that the clocks of sender and receiver may differ, and the age of a delivery; 300 when absent. */
  toleranceSeconds?: number;
  /** The current time in milliseconds. */
  now?: () => number;
}

type HeaderList = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Webhooks {
  /**
   * The event of a delivery with a valid signature; rejects with a WebhookVerificationError otherwise. The body must be the bytes
   * or text that arrived, not parsed JSON. With several secrets, one valid signature is enough.
   */
  verify(
    rawBody: string | Uint8Array | ArrayBuffer,
    headers: HeaderList,
    secret: string | readonly string[],
    options?: VerifyOptions,
  ): Promise<WebhookEvent>;
}

const getHeader = (headers: HeaderList, name: string): string => {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The delivery has no header ${name}: pass all of its headers`);
};

const decodeBase64 = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const utf8 = new TextEncoder();

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function isSigned(signed: Uint8Array<ArrayBuffer>, signatures: string, secret: string): Promise<boolean> {
  const key = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!key || key.length === 0) {
    throw new WebhookVerificationError('The secret is not valid: pass the text that begins with whsec_');
  }
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const each of signatures.split(' ')) {
    const signature = each.startsWith('v1,') ? decodeBase64(each.slice(3)) : undefined;
    if (signature && (await crypto.subtle.verify('HMAC', imported, signature, signed))) return true;
  }
  return false;
}

const verify: Webhooks['verify'] = async (rawBody, headers, secret, options = {}) => {
  const { toleranceSeconds = 300, now = Date.now } = options;
  const id = getHeader(headers, 'webhook-id');
  const timestamp = getHeader(headers, 'webhook-timestamp');
  const signatures = getHeader(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('The delivery is too old or from the future: compare the clocks');
  }
  const body =
    typeof rawBody === 'string'
      ? utf8.encode(rawBody)
      : rawBody instanceof Uint8Array
        ? rawBody
        : new Uint8Array(rawBody);
  const signed = joined([utf8.encode(`${id}.${timestamp}.`), body]);
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    if (await isSigned(signed, signatures, each)) return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  }
  throw new WebhookVerificationError(
    'No signature of the delivery is valid: compare the secret, and pass the raw body',
  );
};

/** Verifies deliveries of webhook endpoints. */
export const webhooks: Webhooks = { verify };
