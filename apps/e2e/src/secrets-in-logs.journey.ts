import { randomBytes } from 'node:crypto';
import { authorize, readCookies, hiddenFields, openLog, signIn } from '@lensforge/dev';
import { issueToken, startPasswordReset, startSignUp } from '@lensforge/identity';
import { createEndpoint, createIncomingWebhook } from '@lensforge/webhooks';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type WebhookReceiver, startWebhookReceiver } from '@lensforge/testing';
import { Redis } from 'ioredis';
import { TestPlatform } from './test-platform.js';

/** Provider addresses that refuse connections. */
const unreachable = { LENSFORGE_OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', LENSFORGE_EGRESS_ALLOW: 'loopback' };
let setup: TestPlatform;
let receiver: WebhookReceiver;
let monitor: Redis;
const lines: string[] = [];
/** All commands that Redis received. */
const commands: string[] = [];
const eventTexts: string[] = [];
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const log = openLog({ format: 'json', write: (line) => void lines.push(line), least: 'debug' });
  setup = await TestPlatform.open({
    allInOne: true,
    log,
    environment: {
      ...unreachable,
      LOG_LEVEL: 'trace',
      LENSFORGE_OAUTH_STRICT_CODES: 'false',
      LENSFORGE_WEBHOOKS_ALLOW_PRIVATE: 'true',
    },
  });
  const redis = new Redis(setup.platform.redisUrl);
  monitor = await redis.monitor();
  redis.disconnect();
  monitor.on('monitor', (_time: string, args: unknown[]) => void commands.push(args.map(String).join(' ')));
});
afterAll(async () => {
  monitor.disconnect();
  await setup.close();
  await receiver.close();
});

/** The value of each kind of secret, by its name. */
const secrets = new Map<string, string>();
const note = (name: string, value: unknown): string => {
  if (typeof value !== 'string' || value.length < 12) throw new Error(`there is no ${name}`);
  secrets.set(name, value);
  return value;
};
/** Responses to misuse, which must not repeat the secret. */
const answers: string[] = [];

const cli = 'lensforge-cli';
const redirectUri = 'http://127.0.0.1/callback';

describe('a secret', () => {
  it('of every kind is created and used correctly', async () => {
    await makePeople();
    await makeTokens();
    await makeGrants();
    expect(secrets.size).toBe(26);
  });

  it('is misused at all services', async () => {
    for (const [name, value] of secrets) await misuse(name, value);
    expect(answers.length).toBeGreaterThan(secrets.size * 10);
  });

  it('is in no log, row, Redis command or key, event, webhook or refusal', async () => {
    await new Promise((resolve) => setTimeout(resolve, 6000));
    const places = {
      log: lines.join('\n'),
      database: await dumpOfDatabase(),
      redis: await dumpOfRedis(),
      answers: answers.join('\n'),
      'commands of Redis': commands.join('\n'),
      events: eventTexts.join('\n'),
      webhooks: receiver.requests.map(({ headers, body }) => JSON.stringify(headers) + body.toString()).join('\n'),
    };
    for (const dump of Object.values(places)) expect(dump.length).toBeGreaterThan(1000);
    const found: string[] = [];
    for (const [name, value] of secrets) {
      for (const [place, dump] of Object.entries(places)) {
        for (const part of [value, value.slice(-12)]) {
          if (dump.includes(part)) found.push(`${name} in ${place}: ${around(dump, part)}`);
        }
      }
    }
    expect(found).toEqual([]);
  });
});

async function makePeople(): Promise<void> {
  const oauth = setup.platform.urlOf('oauth');
  const [user] = setup.platform.users;
  if (!user) throw new Error('the platform has no demo user');
  note('password', user.password);
  const tokens = await signIn(oauth, user);
  note('session token', tokens.accessToken);
  note('refresh token', tokens.refreshToken);

  const page = await fetch(`${oauth}/id/sign-in`);
  const form = new URLSearchParams([...hiddenFields(await page.text())]);
  form.set('email', user.email);
  form.set('password', user.password);
  const headers = { cookie: readCookies(page) };
  const signedIn = await fetch(`${oauth}/id/sign-in`, { method: 'POST', body: form, headers, redirect: 'manual' });
  const cookie = /lf_ses_[0-9a-f]{64}/.exec(signedIn.headers.getSetCookie().join())?.[0];
  note('cookie', cookie);

  const reset = await startPasswordReset(setup.ctx, user.email, '127.0.0.1');
  note('token to reset a password', reset?.token.replace(/^lf_rst_/, ''));
  const email = `canary-${randomBytes(4).toString('hex')}@lensforge.test`;
  const password = note('password of a sign-up', `sign-up ${randomBytes(12).toString('hex')}`);
  const signUp = await startSignUp(setup.ctx, { email, password, address: '127.0.0.1' });
  note('token to confirm an address', signUp?.token.replace(/^lf_sup_/, ''));

  const anonymous = await post(`${oauth}/id/token`, { grant_type: 'urn:lensforge:grant-type:anonymous' });
  note('anonymous token', anonymous['access_token']);
}

async function makeTokens(): Promise<void> {
  const token = secrets.get('session token') ?? '';
  const data = async (path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const { status, body: output } = await setup.call('POST', path, { token, body });
    if (status !== 201 && status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(output)}`);
    return output.data ?? {};
  };
  const { value: developer } = await issueToken(setup.ctx, {
    kind: 'developer',
    accountId: setup.accountId,
    userId: null,
    label: 'canary',
    scopes: ['lenses:read', 'workflows:read'],
    days: 1,
  });
  note('developer token', developer);

  const { id: communityId } = await data('/v1/communities', { handle: 'canaries', displayName: 'Canaries' });
  note('organisation token', valueIn(await data('/v1/tokens', { communityId, label: 'canary' })));
  const connector = await data('/v1/connectors', { name: 'canary', scopes: 'lenses:read' });
  note('service token that was rotated', valueIn(connector));
  note('service token', valueIn(await data(`/v1/connectors/${String(connector['id'])}/rotate`, {})));
  note('invite', valueIn(await data(`/v1/communities/${String(communityId)}/invites`, {})));

  const lent = note('key of a user', `sk-canary-${randomBytes(24).toString('hex')}`);
  const key = await data('/v1/byok-keys', { provider: 'openai', label: 'canary', secret: lent });
  const tried = await setup.call('POST', `/v1/byok-keys/${String(key['id'])}/test`, { token });
  if (tried.status !== 200) throw new Error(`a key could not be tried: ${JSON.stringify(tried.body)}`);

  const ring = keyRing(readMasterKeys(setup.masterKey));
  const url = `${receiver.url}/canary`;
  const events = ['run.completed', 'run.failed'] as const;
  const { secret } = await createEndpoint(setup.ctx, { url, events, description: 'canary' }, ring);
  note('webhook secret', secret);
  const incoming = { workflowId: setup.lensId, name: 'canary' };
  note('secret of an incoming webhook', (await createIncomingWebhook(setup.ctx, incoming, ring)).secret);
  await data('/v1/partners/sandbox/provision', {});
  const bundleOf = async () => (await data('/v1/partners/sandbox/refresh-token', {}))['accessToken'];
  note('token of a partner that was replaced', await bundleOf());
  note('token of a partner', await bundleOf());
  const done = await setup.accepted();
  const ownEndpoint = note('key to an endpoint of a user', `sk-canary-${randomBytes(24).toString('hex')}`);
  const there = { baseUrl: 'https://127.0.0.1/v1', models: [{ key: 'canary' }] };
  const lentKey = { provider: 'openai-compatible', label: 'canary', secret: ownEndpoint, ...there };
  const keys = [key, await data('/v1/byok-keys', lentKey)];
  const failing = await Promise.all(
    keys.map(({ id }) =>
      setup.accepted({ token, body: { fundingSource: 'user_byok_cloud', byokKeyRefId: String(id) } }),
    ),
  );
  await setup.allEnded();
  for (const runId of failing) expect(await setup.statusOf(runId)).toBe('failed');
  for (const runId of [done, ...failing]) {
    const { token: value } = await data(`/v1/runs/${runId}/read-token`, {});
    if (runId === done) {
      note('token to read the events of a run', value);
      const { key: feedbackKey } = await data(`/v1/runs/${runId}/feedback-key`, {});
      note('key for feedback', feedbackKey);
      const given = await fetch(`${setup.platform.urlOf('api-gateway')}/v1/runs/${runId}/feedback`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key: feedbackKey, thumb: 'up' }),
      });
      expect(given.status).toBe(201);
    }
    const path = `/v1/runs/${runId}/events?token=${encodeURIComponent(String(value))}`;
    eventTexts.push(await (await fetch(setup.platform.urlOf('api-gateway') + path)).text());
  }
  await receiver.receive(3);
}

async function makeGrants(): Promise<void> {
  const oauth = setup.platform.urlOf('oauth');
  const [user] = setup.platform.users;
  if (!user) throw new Error('the platform has no demo user');
  const localdev = 'lf_mcp_client_localdev';
  const asking = { issuer: 'oauth', clientId: localdev, redirectUri } as const;
  const sealed = await authorize(oauth, asking, user);
  note('code that was never exchanged', sealed.code);
  note('verifier', sealed.verifier);
  const { code, verifier } = await authorize(oauth, asking, user);
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: localdev,
    code_verifier: verifier,
  };
  note('MCP token', (await post(`${oauth}/oauth/token`, exchange))['access_token']);
  const own = await authorize(oauth, { issuer: 'id', clientId: cli, redirectUri }, user);
  note('code of the platform', own.code);
  const device = await post(`${oauth}/id/device_authorization`, { client_id: cli, label: 'canary', ttl: '1' });
  note('device code', device['device_code']);
}

/** Misuses a secret at all services: as a credential, in URLs and in bodies, whole and truncated. */
async function misuse(name: string, value: string): Promise<void> {
  const { platform } = setup;
  const [api, mcp, oauth] = [platform.urlOf('api-gateway'), platform.urlOf('mcp-gateway'), platform.urlOf('oauth')];
  const json = { 'content-type': 'application/json' };
  const bearer = { authorization: `Bearer ${value}` };
  const query = encodeURIComponent(value);
  const form = (path: string, fields: Record<string, string>) =>
    send(`${oauth}${path}`, { method: 'POST', body: new URLSearchParams(fields) });
  const inUse = { client_id: cli, redirect_uri: redirectUri, code_verifier: value };

  await Promise.all([
    send(`${api}/v1/runs/${setup.lensId}`, { headers: bearer }),
    send(`${api}/v1/runs/${setup.lensId}`, { headers: { authorization: `Bearer ${value}x` } }),
    send(`${api}/v1/runs/${setup.lensId}`, { headers: { authorization: value } }),
    send(`${api}/v1/runs/${query}`, { headers: { authorization: `Bearer ${setup.token}` } }),
    send(`${api}/v1/runs/${setup.lensId}?access_token=${query}`),
    send(`${api}/${query}`),
    send(`${mcp}/mcp`, {
      method: 'POST',
      headers: { ...bearer, ...json },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    }),
    send(`${mcp}/mcp?token=${query}`, { method: 'POST', headers: json, body: JSON.stringify({ [value]: value }) }),
    send(`${oauth}/id/sign-in`, {
      headers: { cookie: `lf_session=${value}; __Host-lf_session=${value}; lf_visit=${value}` },
    }),
    send(`${oauth}/id/password/reset?token=${query}`),
    send(`${oauth}/id/sign-up/confirm?token=${query}`),
    send(`${oauth}/id/device?user_code=${query}`),
  ]);
  // Sequentially: some of these calls end credentials that others use.
  await form('/id/sign-in', { email: 'alice@lensforge.test', password: `${value}!`, csrf_token: value });
  await form('/id/token', { grant_type: 'authorization_code', code: value, ...inUse });
  await form('/oauth/token', {
    grant_type: 'authorization_code',
    code: value,
    ...inUse,
    client_id: 'lf_mcp_client_localdev',
  });
  await form('/id/token', { grant_type: 'refresh_token', refresh_token: `${value}x`, client_id: cli });
  await form('/id/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: value,
    client_id: cli,
  });
  await form('/id/token', { grant_type: 'password', username: 'x', password: value });
  await form('/id/token', { grant_type: value });
  await form('/oauth/revoke', { token: value });
  if (name !== 'session token') await form('/id/revoke', { token: value, client_id: cli });
}

async function send(url: string, init: RequestInit = {}): Promise<void> {
  const answer = await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(120_000) });
  const text = await answer.text();
  if (answer.status >= 500) throw new Error(`${answer.status} from ${url.slice(0, 60)}: ${text.slice(0, 300)}`);
  // Pages have a valid link token in a hidden field, and the response to a valid code is a token.
  if (answer.status >= 400 && !text.startsWith('<!')) answers.push(text);
}

async function post(url: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return (await answer.json()) as Record<string, unknown>;
}

/** The secret in a response that shows it once. */
function valueIn(data: Record<string, unknown>): string | undefined {
  const [value] = /lf_[a-z]{3}_[0-9a-f]{64}/.exec(JSON.stringify(data)) ?? [];
  return value;
}

async function dumpOfDatabase(): Promise<string> {
  const tables = await setup.db.query<{ name: string }[]>(
    `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const dumps: string[] = [];
  for (const { name } of tables) {
    const rows = await setup.db.query<{ row: string }[]>(`select t::text as row from ${name} t`);
    dumps.push(name, ...rows.map(({ row }) => row));
    // Bytes are read in hexadecimal, which would hide text in them.
    const bytes = await setup.db.query<{ name: string }[]>(
      `select quote_ident(column_name) as name from information_schema.columns
        where table_schema = 'public' and quote_ident(table_name) = $1 and data_type = 'bytea'`,
      [name],
    );
    for (const { name: column } of bytes) {
      const values = await setup.db.query<{ text: string }[]>(
        `select encode(${column}, 'escape') as text from ${name} where ${column} is not null`,
      );
      dumps.push(...values.map(({ text }) => text));
    }
  }
  return dumps.join('\n');
}

async function dumpOfRedis(): Promise<string> {
  const redis = new Redis(setup.platform.redisUrl);
  const dumps: string[] = [];
  const readers: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.get(key),
    hash: (key) => redis.hgetall(key),
    list: (key) => redis.lrange(key, 0, -1),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, 0, -1),
    stream: (key) => redis.xrange(key, '-', '+'),
  };
  for await (const keys of redis.scanStream() as AsyncIterable<string[]>) {
    for (const key of keys) dumps.push(key, JSON.stringify(await readers[await redis.type(key)]?.(key)));
  }
  redis.disconnect();
  return dumps.join('\n');
}

const around = (dump: string, part: string): string => {
  const at = dump.indexOf(part);
  return dump.slice(Math.max(0, at - 80), at);
};
