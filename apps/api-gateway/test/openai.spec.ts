import { newId } from '@lensforge/core';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idOfWait } from '../src/openai/tool-call-ids.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let tokens: Record<string, string>;
let lensId: string;
let hiddenId: string;

beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000' });
  const { ctx } = gateway;
  const [owner, other, third] = await Promise.all([anAccount(ctx), anAccount(ctx), anAccount(ctx)]);
  ({ id: lensId } = await aLens(actingAs(ctx, owner.id), {
    templateBody: 'Say something about [[Topic]] and [[Place]] in a few words.',
  }));
  ({ id: hiddenId } = await aLens(actingAs(ctx, third.id), { visibility: 'private' }));
  const [expired, revoked] = await Promise.all([
    aToken(ctx, { accountId: owner.id }),
    aToken(ctx, { accountId: owner.id }),
  ]);
  await ctx.db.query(`update api_tokens set expires_at = now() - interval '1 s' where id = $1`, [expired.id]);
  await ctx.db.query('update api_tokens set revoked_at = now() where id = $1', [revoked.id]);
  tokens = {
    none: '',
    malformed: 'lf_dev_0123456789abcdef',
    expired: expired.value,
    revoked: revoked.value,
    anonymous: gateway.anonymousToken(),
    'wrong-scope': (await aToken(ctx, { accountId: owner.id, held: ['threads:read'] })).value,
    stranger: (await aToken(ctx, { accountId: other.id })).value,
    owner: (await aToken(ctx, { accountId: owner.id })).value,
  };
});
afterAll(() => gateway.stop());

interface Reply {
  status: number;
  headers: Headers;
  body: { id?: string; error?: { message: string; type: string; param: string | null; code: string } };
}

async function call(
  method: string,
  path: string,
  {
    kind = 'owner',
    body,
    headers = {},
  }: { kind?: string; body?: object | string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const answer = await fetch(`${gateway.url}/openai/v1${path}`, {
    method,
    headers: {
      ...(tokens[kind] && { authorization: `Bearer ${tokens[kind]}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Reply['body'] };
}

const messages = [{ role: 'user', content: 'Hello' }];

/** Background responses are answered at once, so that no worker is needed. */
async function aResponse(): Promise<string> {
  const request = { model: 'offline/echo', input: 'Hello', background: true };
  const { status, body } = await call('POST', '/responses', { body: request });
  expect(status).toBe(200);
  return body.id ?? '';
}

interface Row {
  method: string;
  path: string;
  body?: object;
  /** Statuses for: no credential, an anonymous one, one without scopes, a stranger, the owner. */
  statuses: readonly number[];
}

/** Results for a run that waits, with an id that anyone could make. */
const forged = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', tool_calls: [{ id: '{wait}', type: 'function', function: { name: 'add', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: '{wait}', content: '1' },
];

const kinds = ['none', 'anonymous', 'wrong-scope', 'stranger', 'owner'];
const rows: Row[] = [
  { method: 'GET', path: '/models', statuses: [401, 403, 200, 200, 200] },
  { method: 'GET', path: '/models/offline/echo', statuses: [401, 403, 200, 200, 200] },
  { method: 'GET', path: '/files', statuses: [401, 403, 404, 404, 404] },
  {
    method: 'POST',
    path: '/responses',
    body: { model: 'offline/echo', input: 'Hello', background: true },
    statuses: [401, 403, 403, 200, 200],
  },
  {
    method: 'POST',
    path: '/chat/completions',
    body: { model: 'lens:{hidden}', messages },
    statuses: [401, 403, 404, 404, 404],
  },
  {
    method: 'POST',
    path: '/chat/completions',
    body: { model: 'workflow:{random}', messages },
    statuses: [401, 403, 404, 404, 404],
  },
  {
    method: 'POST',
    path: '/chat/completions',
    body: { model: 'agent:unknown-poet', messages },
    statuses: [401, 403, 404, 404, 404],
  },
  {
    method: 'POST',
    path: '/embeddings',
    body: { model: 'offline/echo', input: 'a' },
    statuses: [401, 403, 403, 400, 400],
  },
  {
    method: 'POST',
    path: '/chat/completions',
    body: { model: 'offline/echo', messages: forged },
    statuses: [401, 403, 403, 404, 404],
  },
  { method: 'GET', path: '/responses/{response}', statuses: [401, 403, 403, 404, 200] },
  { method: 'GET', path: '/responses/{random}', statuses: [401, 403, 404, 404, 404] },
  { method: 'GET', path: '/chat/completions/{response}', statuses: [401, 403, 403, 404, 404] },
  { method: 'POST', path: '/responses/{response}/cancel', statuses: [401, 403, 403, 404, 200] },
  {
    method: 'POST',
    path: '/responses',
    body: { model: 'offline/echo', input: 'And?', previous_response_id: '{response}' },
    statuses: [401, 403, 403, 404, 400],
  },
];

describe('the table of credentials', () => {
  it.each(rows.map((row) => [`${row.method} ${row.path} ${JSON.stringify(row.body ?? {})}`, row] as const))(
    'matches the answers to %s',
    async (_, { method, path, body, statuses }) => {
      const response = await aResponse();
      const ids = { response, hidden: hiddenId, random: newId(), wait: idOfWait(response, newId()) };
      const fill = (text: string): string =>
        text.replaceAll(
          /\{(\w+)\}/g,
          (whole, name: string) => Object.entries(ids).find(([id]) => id === name)?.[1] ?? whole,
        );
      const found: number[] = [];
      for (const kind of kinds) {
        const { status, body: reply } = await call(method, fill(path), {
          kind,
          ...(method === 'POST' && { body: body ? (JSON.parse(fill(JSON.stringify(body))) as object) : {} }),
        });
        found.push(status);
        if (status >= 400) {
          expect(reply.error).toEqual({
            message: expect.any(String),
            type: expect.stringMatching(/^(invalid_request|authentication|permission)_error$/),
            param: reply.error?.param,
            code: expect.any(String),
          });
        }
      }
      expect(found).toEqual(statuses);
    },
  );

  it.each(['malformed', 'expired', 'revoked'])('refuses a credential that is %s', async (kind) => {
    const { status, headers } = await call('GET', '/models', { kind });
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')]);
  });
});

const chat = (members: object): [path: string, body: object] => [
  '/chat/completions',
  { model: 'offline/echo', messages, ...members },
];
const respond = (members: object): [path: string, body: object] => [
  '/responses',
  { model: 'offline/echo', ...members },
];
const ofLens = (members: object): [path: string, body: object] => chat({ model: 'lens:{lens}', ...members });

describe('a refused request', () => {
  it.each<[member: string, request: [path: string, body: object], message: RegExp]>([
    ['model', chat({ model: 'offline/words' }), /makes embeddings alone/],
    ['messages', chat({ messages: 'Hello' }), /must be a list/],
    ['messages', chat({ messages: [] }), /must have a message of the user/],
    [
      'messages',
      chat({ messages: [{ role: 'assistant', content: 'Hello' }] }),
      /must begin with a message of the user/,
    ],
    ['messages.0.role', chat({ messages: [{ role: 'robot', content: 'Hello' }] }), /must be system, developer/],
    ['messages.0.content', chat({ messages: [{ role: 'user' }] }), /must be a text or a list of parts/],
    [
      'messages.0.content.0.type',
      chat({ messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }),
      /must be text/,
    ],
    [
      'messages.0.content.0.image_url',
      chat({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x' } }] }] }),
      /https/,
    ],
    [
      'messages',
      chat({ messages: [...messages, { role: 'tool', tool_call_id: 'x', content: '1' }] }),
      /which the message before it does not make/,
    ],
    ['temperature', chat({ temperature: 9 }), /from 0 to 2/],
    ['stop', chat({ stop: ['a', 'b', 'c', 'd', 'e'] }), /up to 4 texts/],
    ['logprobs', chat({ logprobs: true }), /must be false/],
    ['logit_bias', chat({ logit_bias: { 50256: -100 } }), /must be left out/],
    ['frequency_penalty', chat({ frequency_penalty: 1 }), /must be 0/],
    ['response_format', chat({ response_format: { type: 'grammar' } }), /json_schema/],
    [
      'response_format.type',
      chat({ response_format: { type: 'json_schema', json_schema: { schema: { type: 'nothing' } } } }),
      /type/,
    ],
    ['tools.0.type', chat({ tools: [{ type: 'web_search' }] }), /must be function/],
    ['tool_choice', chat({ tools: [{ type: 'function', function: { name: 'a' } }], tool_choice: 'b' }), /must be auto/],
    ['metadata.params', chat({ metadata: { params: {} } }), /for lenses and workflows/],
    ['lensforge.maxCredits', chat({ lensforge: { maxCredits: -1 } }), /from 0 to/],
    ['lensforge.byokKeyRefId', chat({ lensforge: { byokKeyRefId: newId() } }), /requires fundingSource/],
    ['functions', chat({ functions: [] }), /is not a known member/],
    ['metadata.params', ofLens({}), /has the parameters Topic, Place/],
    ['metadata.params', ofLens({ metadata: { params: 'Topic' } }), /must be a JSON object/],
    ['metadata.params.Place', ofLens({ messages: [], metadata: { params: { Topic: 'a' } } }), /is required/],
    ['messages', ofLens({ messages: [{ role: 'system', content: 'Be brief' }] }), /has its own/],
    ['messages', ofLens({ metadata: { params: { Topic: 'a', Place: 'b' } } }), /without a place/],
    ['tools', ofLens({ tools: [{ type: 'function', function: { name: 'a' } }] }), /no tool of this lens/],
    ['model', respond({ model: undefined, input: 'a' }), /required without prompt/],
    ['input', respond({ input: 7 }), /must be a text or a list/],
    ['input.0.type', respond({ input: [{ type: 'item_reference', id: 'x' }] }), /must be message/],
    ['prompt.id', respond({ prompt: { id: 'pmpt_1' } }), /must be the id of a lens/],
    ['conversation', respond({ conversation: 'c', input: 'a' }), /is not a known member/],
    ['input', ['/embeddings', { model: 'offline/words', input: [] }], /none of them empty/],
    ['input', ['/embeddings', { model: 'offline/words', input: [[1, 2]] }], /tokens are not taken/],
  ])('names %s', async (param, [path, body], message) => {
    const text = JSON.stringify(body).replaceAll('{lens}', lensId);
    const { status, body: reply } = await call('POST', path, { body: text });
    expect(status).toBe(400);
    expect(reply.error).toMatchObject({ param, type: 'invalid_request_error', code: 'invalid_request' });
    expect(reply.error?.message).toMatch(message);
  });

  it('is refused for a body that is no JSON, or a key that is too long', async () => {
    const broken = await call('POST', '/responses', { body: '{"a":' });
    expect([broken.status, broken.body.error?.code]).toEqual([400, 'invalid_request']);
    const headers = { 'idempotency-key': 'k'.repeat(256) };
    const long = await call('POST', '/responses', { headers, body: { model: 'offline/echo', input: 'a' } });
    expect(long.body.error).toMatchObject({ param: 'Idempotency-Key' });
  });
});
