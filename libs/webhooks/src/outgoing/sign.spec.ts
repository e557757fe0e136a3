import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  newSecret,
  serviceSignature,
  signatureHeaders,
  signedBody,
  standardSignature,
  unsignedBody,
} from '../index.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const event = {
  id: '01920000-0000-7000-8000-000000000001',
  event: 'run.completed',
  timestamp: '2026-11-21T10:00:00.000Z',
  data: { runId: 'r', outputs: ['Grüße 你好 \u2028 "quoted" 🌍'] },
};

interface Received {
  signature: string;
  [member: string]: unknown;
}

describe('signatures of published vectors', () => {
  it('match HMAC-SHA-256 of RFC 4231, test case 2', () => {
    expect(serviceSignature(Buffer.from('what do ya want for nothing?'), 'Jefe')).toBe(
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('match the example of Standard Webhooks', () => {
    const body = Buffer.from('{"test": 2432232314}');
    expect(standardSignature('msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body, [secret])).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });
});

describe('the signed body', () => {
  it('has its members in the documented order, the signature last', () => {
    const body = signedBody(unsignedBody(event), secret);
    const received = JSON.parse(body.toString()) as Received;
    expect(Object.keys(received)).toEqual(['id', 'event', 'timestamp', 'data', 'signature']);
    expect(received).toMatchObject(event);
  });

  it('is signed over the same JSON without the signature', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const body = signedBody(unsignedBody({ ...event, data }), secret);
        const { signature, ...rest } = JSON.parse(body.toString()) as Received;
        const expected = createHmac('sha256', secret).update(JSON.stringify(rest)).digest('hex');
        expect(signature).toBe(`sha256=${expected}`);
      }),
    );
  });

  it('is the same bytes each time', () => {
    expect(signedBody(unsignedBody(event), secret).equals(signedBody(unsignedBody(event), secret))).toBe(true);
  });
});

describe('the signature headers', () => {
  const signedRequest = (secrets: [string, ...string[]], data: object = event.data) => {
    const body = signedBody(unsignedBody({ ...event, data }), secrets[0]);
    return { body, headers: signatureHeaders({ eventId: event.id, body, secrets, at: new Date() }) };
  };

  it('carry the event id and the signature of the exact bytes', () => {
    const { body, headers } = signedRequest([secret]);
    expect(headers['X-Service-Event-Id']).toBe(event.id);
    expect(headers['webhook-id']).toBe(event.id);
    expect(headers['X-Service-Signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(headers['X-Service-Signature']).toBe(serviceSignature(body, secret));
  });

  it.each([
    ['plain', { a: 1 }],
    ['no', {}],
    ['foreign', { text: 'Grüße 你好 🌍 \u0000' }],
    ['a megabyte of', { text: 'x'.repeat(1_000_000) }],
  ])('are accepted by the standardwebhooks library for %s data', (_, data) => {
    const own = newSecret();
    const { body, headers } = signedRequest([own], data);
    expect(new Webhook(own).verify(body, headers)).toMatchObject({ event: 'run.completed', data });
  });

  it('are refused when any byte of the body differs', () => {
    const { body, headers } = signedRequest([secret]);
    for (let at = 0; at < body.length; at++) {
      const altered = Buffer.from(body);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => new Webhook(secret).verify(altered.toString('latin1'), headers)).toThrow();
      expect(serviceSignature(altered, secret)).not.toBe(headers['X-Service-Signature']);
    }
  });

  it('are accepted with the old and the new secret during a rotation', () => {
    const old = newSecret();
    const { body, headers } = signedRequest([secret, old]);
    expect(new Webhook(old).verify(body, headers)).toBeTruthy();
    expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
  });
});

it('newSecret makes secrets of 256 random bits', () => {
  const made = newSecret();
  expect(made).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(made);
});
