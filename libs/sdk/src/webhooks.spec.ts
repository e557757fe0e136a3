import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { webhooks } from './webhooks.js';

interface Vector {
  name: string;
  secrets: string[];
  at: string;
  event: { id: string; event: string };
  body: string;
  headers: Record<string, string>;
}

const file = join(import.meta.dirname, '../../../docs/webhook-vectors.json');
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
const [first] = vectors as [Vector];
const at = ({ at: sent }: Vector, seconds = 0) => ({ now: () => Date.parse(sent) + seconds * 1000 });

describe('webhooks.verify', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('accepts %s', async (_name, vector) => {
    for (const secret of vector.secrets) {
      const event = await webhooks.verify(vector.body, vector.headers, secret, at(vector));
      expect(event).toMatchObject({ id: vector.event.id, event: vector.event.event });
    }
  });

  it('accepts bytes, Headers and one of several secrets', async () => {
    const bytes = new TextEncoder().encode(first.body);
    const headers = new Headers(first.headers);
    const secrets = ['whsec_b3RoZXI=', ...first.secrets];
    expect((await webhooks.verify(bytes, headers, secrets, at(first))).id).toBe(first.event.id);
  });

  it.each([
    ['another body', { body: `${first.body} ` }, 'No signature'],
    ['another secret', { secret: 'whsec_b3RoZXI=' }, 'No signature'],
    ['a secret that is no secret', { secret: 'whsec_%%' }, 'secret is not valid'],
    ['an empty secret', { secret: '' }, 'secret is not valid'],
    ['an old delivery', { seconds: 301 }, 'too old'],
    ['a delivery from the future', { seconds: -302 }, 'too old'],
    ['another time', { headers: { ...first.headers, 'webhook-timestamp': '1795255206' } }, 'No signature'],
    ['another id', { headers: { ...first.headers, 'webhook-id': 'x' } }, 'No signature'],
    ['another kind of signature', { headers: { ...first.headers, 'webhook-signature': 'v2,AAAA' } }, 'No signature'],
    ['no headers', { headers: {} }, 'no header webhook-id'],
  ])('refuses %s', async (_name, change, message) => {
    const { body, secret, headers, seconds } = { ...first, secret: first.secrets[0] ?? '', seconds: 0, ...change };
    const verified = webhooks.verify(body, headers, secret, at(first, seconds));
    await expect(verified).rejects.toMatchObject({
      name: 'WebhookVerificationError',
      message: expect.stringContaining(message),
    });
  });
});
