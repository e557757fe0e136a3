import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Endpoint,
  type JsonSchema,
  type Shape,
  endpoints,
  jsonSchema,
  restErrorCodes,
} from '@lensforge/contracts';
import { aKeyPair } from '@lensforge/byok/testing';
import { newId } from '@lensforge/core';
import { anything, nearMembers } from '@lensforge/contracts/testing';
import fc from 'fast-check';
import { expectShapeOfDetails } from './gateway.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

/*
 * Sends random input that is nearly valid, generated from the schemas, to every endpoint.
 * WILD_INPUTS=500 npm test -- apps/api-gateway/test/wild-input.spec.ts tries more inputs.
 */
const cases = Number(process.env['WILD_INPUTS'] ?? 4);

const limits = ['EXECUTE', 'RUN', 'INCOMING'].map((name) => [`LENSFORGE_RATE_${name}_PER_MINUTE`, '1000000']);

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

const membersOf = (shape: Shape | undefined): fc.Arbitrary<Record<string, unknown>> =>
  shape
    ? nearMembers((jsonSchema(shape) as { properties: Record<string, JsonSchema> }).properties, known)
    : fc.constant({});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();

const inUrl = (value: unknown): string => encodeURIComponent(textOf(value)).replaceAll('.', '%2E').slice(0, 3000);

interface RandomInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** Timeout for endpoints that wait for a result, where a valid request would take too long. */
const waitMs = 500;

async function ask(endpoint: Endpoint, { params, query, body }: RandomInput): Promise<void> {
  const { method, path, replies, body: shape, waitsMs = 0 } = endpoint;
  const fullPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inUrl(params[name] ?? newId()) || 'x');
  const search = Object.entries(query).map(([name, value]) => `${inUrl(name)}=${inUrl(value)}`);
  const sent = shape === undefined ? undefined : JSON.stringify(body);
  const response = fetch(`${gateway.url}${fullPath}${search.length > 0 ? `?${search.join('&')}` : ''}`, {
    method,
    ...(waitsMs > 0 && { signal: AbortSignal.timeout(waitMs) }),
    headers: { authorization: `Bearer ${token}`, ...(sent !== undefined && { 'content-type': 'application/json' }) },
    ...(sent !== undefined && { body: sent }),
  });
  const answer = await response.catch((reason: unknown) => {
    if (reason instanceof DOMException && reason.name === 'TimeoutError') return undefined;
    throw reason;
  });
  if (answer === undefined) return;
  expect(answer.status).toBeLessThan(500);
  if (answer.status === 204 || answer.status === 304) return;
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    await answer.body?.cancel();
    return;
  }
  const text = await answer.text();
  if (answer.status < 400 && (replies === 'plain' || replies === 'lines' || !text.startsWith('{'))) return;
  const { data, error, meta } = JSON.parse(text) as {
    data?: unknown;
    error: { code: string; message: string; details?: unknown } | null;
    meta: { requestId?: string };
  };
  expect(meta.requestId).toEqual(expect.any(String));
  if (answer.status < 400) {
    expect([error, data === undefined]).toEqual([null, false]);
    return;
  }
  expect(restErrorCodes).toContain(error?.code);
  expectShapeOfDetails({ error });
  expect(error?.message).not.toMatch(/\bat .+:\d+:\d+|select |insert into|node_modules|violates/);
}

const all = Object.values<Endpoint>(endpoints);

describe('random input', () => {
  it.each(all.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'gets a documented answer from %s',
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
