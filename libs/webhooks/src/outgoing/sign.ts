import { createHmac, randomBytes } from 'node:crypto';

export interface EventBody {
  id: string;
  event: string;
  /** ISO 8601, UTC. */
  timestamp: string;
  data: object;
}

const prefix = 'whsec_';

export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Serialises the body without its signature, in the documented member order. */
export const unsignedBody = ({ id, event, timestamp, data }: EventBody): Buffer =>
  Buffer.from(JSON.stringify({ id, event, timestamp, data }));

/** Returns the bytes to send: the unsigned JSON with `signature` as its last member. */
export function signedBody(unsigned: Buffer, secret: string): Buffer {
  return Buffer.concat([
    unsigned.subarray(0, -1),
    Buffer.from(`,"signature":"${serviceSignature(unsigned, secret)}"}`),
  ]);
}

export const serviceSignature = (bytes: Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;

/** Makes one signature per secret, so that a receiver can verify with the old or the new secret. */
export function standardSignature(id: string, seconds: number, body: Buffer, secrets: readonly string[]): string {
  return secrets
    .map((secret) =>
      createHmac('sha256', toSigningKey(secret)).update(`${id}.${seconds}.`).update(body).digest('base64'),
    )
    .map((signature) => `v1,${signature}`)
    .join(' ');
}

const toSigningKey = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64');

/** The headers that identify an event, the same in all attempts. */
export const eventHeaders = (eventId: string): Record<string, string> => ({
  'X-Service-Event-Id': eventId,
  'webhook-id': eventId,
});

export interface SignatureInput {
  eventId: string;
  body: Buffer;
  /** The current secret comes first. */
  secrets: readonly [string, ...string[]];
  /** The time of this attempt. */
  at: Date;
}

export function signatureHeaders({ eventId, body, secrets, at }: SignatureInput): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  return {
    ...eventHeaders(eventId),
    'X-Service-Signature': serviceSignature(body, secrets[0]),
    'webhook-timestamp': String(seconds),
    'webhook-signature': standardSignature(eventId, seconds, body, secrets),
  };
}
