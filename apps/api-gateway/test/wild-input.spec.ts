import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Endpoint, JsonSchema, Shape } from '@lensforge/contracts';
import { endpoints, jsonSchema, restErrorCodes } from '@lensforge/contracts';
import { aKeyPair } from '@lensforge/byok/testing';
import { newId } from '@lensforge/core';
import fc from 'fast-check';
import type { SignedInGateway } from './signed-in.js';
import { aGatewayWithSignIn } from './signed-in.js';

/*
 * Every endpoint with input that is nearly right, made from its own schema: whatever comes, the answer is one of ours.
 * WILD_INPUTS=500 npm test -- apps/api-gateway/test/wild-input.spec.ts tries more of them.
 */
const cases = Number(process.env['WILD_INPUTS'] ?? 4);

const limits = ['EXECUTE', 'RUN', 'LIST', 'INCOMING'].map((name) => [`LENSFORGE_RATE_${name}_PER_MINUTE`, '1000000']);

let gateway: SignedInGateway;
let token: string;
let known: string[];
beforeAll(async () => {
  gateway = await aGatewayWithSignIn(Object.fromEntries(limits) as Record<string, string>);
  await aKeyPair(gateway.ctx);
  const person = await gateway.aPerson();
  token = gateway.sessionToken(person);
  const lens = await gateway.call('POST', '/v1/lenses', {
    token,
    body: { title: 'Wild', templateBody: 'Tell [[Name]] about wild things, in a few words, and as a friend would.' },
  });
  const lensId = String(lens.body.data?.['id']);
  const run = await gateway.call('POST', `/v1/lenses/${lensId}/execute`, { token, body: { params: { Name: 'Ada' } } });
  known = [lensId, String(run.body.data?.['runId']), person.accountId];
});
afterAll(() => gateway.stop());

const nasty = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u2066',
  '%',
  '_',
  "'; drop table runs; --",
  '${7*7}',
  '$&$1',
  '../../etc/passwd',
  '\r\nx-evil: 1',
  '<script>alert(1)</script>',
  '__proto__',
  'null',
  '-1',
  '1e400',
  '9'.repeat(30),
  '2026-02-30T25:00:00Z',
  'data:,x',
  'http://169.254.169.254/',
  '🦊'.repeat(60),
  'x'.repeat(20_000),
];

const numbers = [0, -0, -1, 1, 0.5, 100, 101, 2 ** 31, -(2 ** 31), 2 ** 53, 1e308, -1e308];

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, ...nasty, ...numbers),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(fc.constantFrom<unknown>(null, 'x', 1, {}), { maxLength: 5 }),
  fc.dictionary(fc.constantFrom('a', 'id', 'constructor', 'toString'), fc.constantFrom<unknown>(1, 'x', null, []), {
    maxKeys: 3,
  }),
  fc.constant(deep(40)),
);

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Values that a schema lets in, most of the time. */
function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  const {
    enum: values,
    type,
    format,
    properties,
    items,
  } = schema as {
    enum?: unknown[];
    type?: string | string[];
    format?: string;
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
  };
  if (values) return fc.constantFrom(...values);
  switch ([type].flat()[0]) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom(...numbers));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(items ? near(items) : anything, { maxLength: 4 });
    case 'object':
      return properties ? members(properties) : fc.dictionary(fc.string({ maxLength: 8 }), anything, { maxKeys: 4 });
    case 'string':
      if (format === 'uuid') return fc.oneof(fc.constantFrom(...known), fc.constant(newId()));
      if (format === 'date-time') return fc.constantFrom('2026-11-21T09:30:00Z', '2030-01-01T00:00:00+02:00');
      return fc.oneof(
        fc.string({ maxLength: 80 }),
        fc.constantFrom('Wild', 'lenses:read', 'a-b-c', 'https://example.com/'),
      );
    default:
      return anything;
  }
}

const near = (schema: JsonSchema): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fitting(schema), weight: 5 }, { arbitrary: anything, weight: 1 });

const members = (properties: Record<string, JsonSchema>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      fc.record(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, near(schema)])), {
        requiredKeys: [],
      }),
      fc.oneof({ arbitrary: fc.constant({}), weight: 6 }, { arbitrary: fc.constant({ unknown: 1 }), weight: 1 }),
    )
    .map(([own, more]) => ({ ...own, ...more }));

const membersOf = (shape: Shape | undefined): fc.Arbitrary<Record<string, unknown>> =>
  shape ? members((jsonSchema(shape) as { properties: Record<string, JsonSchema> }).properties) : fc.constant({});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();

const inUrl = (value: unknown): string => encodeURIComponent(textOf(value)).replaceAll('.', '%2E').slice(0, 3000);

interface Wild {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** Whoever is let in where there is nothing yet waits for it: a good answer, and too long a one for hundreds of cases. */
const waitMs = 500;

async function ask(endpoint: Endpoint, { params, query, body }: Wild): Promise<void> {
  const { method, path, replies, body: shape, waitsMs = 0 } = endpoint;
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inUrl(params[name] ?? newId()) || 'x');
  const search = Object.entries(query).map(([name, value]) => `${inUrl(name)}=${inUrl(value)}`);
  const sent = shape === undefined ? undefined : JSON.stringify(body);
  const asked = fetch(`${gateway.url}${place}${search.length > 0 ? `?${search.join('&')}` : ''}`, {
    method,
    ...(waitsMs > 0 && { signal: AbortSignal.timeout(waitMs) }),
    headers: { authorization: `Bearer ${token}`, ...(sent !== undefined && { 'content-type': 'application/json' }) },
    ...(sent !== undefined && { body: sent }),
  });
  const answer = await asked.catch((reason: Error) => {
    if (reason.name === 'TimeoutError') return undefined;
    throw reason;
  });
  if (answer === undefined) return;
  expect(answer.status).toBeLessThan(500);
  if (answer.status === 204 || answer.status === 304) return;
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    await answer.body?.cancel();
    return;
  }
  const said = await answer.text();
  if (answer.status < 400 && (replies === 'plain' || !said.startsWith('{'))) return;
  const { data, error, meta } = JSON.parse(said) as {
    data?: unknown;
    error: { code: string; message: string } | null;
    meta: { requestId?: string };
  };
  expect(meta.requestId).toEqual(expect.any(String));
  if (answer.status < 400) {
    expect([error, data === undefined]).toEqual([null, false]);
    return;
  }
  expect(restErrorCodes).toContain(error?.code);
  expect(error?.message).not.toMatch(/\bat .+:\d+:\d+|select |insert into|node_modules|violates/);
}

const all = Object.values<Endpoint>(endpoints);

describe('wild input', () => {
  it.each(all.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'is answered in words by %s',
    async (_, endpoint) => {
      const { params, query, body } = endpoint;
      const wild = fc.record({
        params: membersOf(params),
        query: membersOf(query),
        body: fc.oneof({ arbitrary: membersOf(body), weight: 9 }, { arbitrary: anything, weight: 1 }),
      });
      await fc.assert(
        fc.asyncProperty(wild, (input) => ask(endpoint, input)),
        { numRuns: cases },
      );
      expect((await fetch(`${gateway.url}/live`)).status).toBe(200);
    },
    120_000 + cases * 1000,
  );
});
