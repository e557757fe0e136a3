import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { signatureHeaders, signedBody, unsignedBody } from '../index.js';

interface Vector {
  name: string;
  secrets: [string, ...string[]];
  /** The time of the attempt. */
  at: string;
  event: { id: string; event: string; timestamp: string; data: object };
  body: string;
  headers: Record<string, string>;
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../docs/webhook-vectors.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] };

describe('the published webhook vectors', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))(
    'match signedBody and signatureHeaders: %s',
    (_, { secrets, at, event, body, headers }) => {
      const bytes = signedBody(unsignedBody(event), secrets[0]);
      expect(bytes.toString()).toBe(body);
      expect(signatureHeaders({ eventId: event.id, body: bytes, secrets, at: new Date(at) })).toEqual(headers);
    },
  );

  it.each(vectors.map((vector) => [vector.name, vector] as const))(
    'match the documented algorithm: %s',
    (_, vector) => {
      const { secrets, body, headers } = vector;
      const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
      expect(headers['X-Service-Signature']).toBe(`sha256=${hmac(secrets[0], body).digest('hex')}`);
      const { signature } = JSON.parse(body) as { signature: string };
      const unsigned = body.replace(`,"signature":"${signature}"`, '');
      expect(signature).toBe(`sha256=${hmac(secrets[0], unsigned).digest('hex')}`);
      const signed = `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.${body}`;
      const signatures = secrets.map((secret) => hmac(Buffer.from(secret.slice(6), 'base64'), signed).digest('base64'));
      expect(headers['webhook-signature']).toBe(signatures.map((each) => `v1,${each}`).join(' '));
    },
  );
});
