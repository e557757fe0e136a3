import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingWebhookWithSecret } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { SealBroken } from '@lensforge/vault';
import type { DataSource } from 'typeorm';
import {
  type IncomingProof,
  IncomingWebhookAuthenticator,
  type ReceivedCall,
  createIncomingWebhook,
  deleteOldIncomingCalls,
  listIncomingCalls,
  loggedBody,
  recordIncomingCalls,
  removeIncomingWebhook,
  updateIncomingWebhook,
} from '../index.js';
import { aKeyRing } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let webhook: IncomingWebhookWithSecret;
const ring = aKeyRing();
const broken: SealBroken[] = [];
const authenticator = new IncomingWebhookAuthenticator(ring, (fault) => broken.push(fault));

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source, ctx } = database);
  await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', 'ada', 'Ada')`, [
    ctx.actor.accountId,
  ]);
});
beforeEach(async () => {
  webhook = await createIncomingWebhook(ctx, { workflowId: newId(), name: 'x' }, ring);
});
afterAll(() => database.close());

const body = Buffer.from('{"params":{}}');
const authenticate = async (proof: Partial<IncomingProof>, id = webhook.id) =>
  (await authenticator.authenticate(source.manager, id, { body, signatures: [], ...proof }))?.via;
const signed = (bytes: Buffer, secret = webhook.secret): string =>
  `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`;

describe('authentication of an incoming webhook call', () => {
  it('accepts the secret, one valid signature among several, or a bearer token of the owner', async () => {
    expect(await authenticate({ secret: webhook.secret })).toBe('secret');
    expect(await authenticate({ signatures: ['nonsense', signed(body)] })).toBe('signature');
    expect(await authenticate({ actor: ctx.actor })).toBe('bearer');
    expect(await authenticate({ secret: webhook.secret, actor: ctx.actor })).toBe('secret');
  });

  it('refuses every signature when the sealed secret was altered, and reports the broken seal', async () => {
    await source.query(
      'update incoming_webhooks set secret = set_byte(secret, 40, get_byte(secret, 40) # 1) where id = $1',
      [webhook.id],
    );
    broken.length = 0;
    expect(await authenticate({ signatures: [signed(body)] })).toBeUndefined();
    expect(broken).toMatchObject([{ name: 'SealBroken', fault: 'not_authentic' }]);
    expect(await authenticate({ secret: webhook.secret })).toBe('secret');
  });

  it('refuses any other proof', async () => {
    const others = aContext(source.manager).actor;
    const reader = { ...ctx.actor, scopes: ['workflows:read'] as const };
    const wrong: Partial<IncomingProof>[] = [
      {},
      { secret: '' },
      { secret: webhook.secret.slice(0, -1) },
      { signatures: [signed(Buffer.from('{"params":{} }'))] },
      { signatures: [signed(body).replace('sha256', 'sha1')] },
      { signatures: [`${signed(body)}00`] },
      { actor: others },
      { actor: reader },
    ];
    for (const proof of wrong) expect([proof, await authenticate(proof)]).toEqual([proof, undefined]);
    expect(await authenticate({ secret: webhook.secret }, newId())).toBeUndefined();
    expect(await authenticator.authenticate(source.manager, 'none', { body, signatures: [] })).toBeUndefined();
  });

  it('accepts a signed timestamp within five minutes of the current time', async () => {
    const [{ now }] = await source.query<[{ now: number }]>('select extract(epoch from now())::float8 as now');
    const at = (shift: number) => {
      const timestamp = `${Math.floor(now + shift)}`;
      return authenticate({ timestamp, signatures: [signed(Buffer.concat([Buffer.from(`${timestamp}.`), body]))] });
    };
    expect([await at(0), await at(-200), await at(200)]).toEqual(['signature', 'signature', 'signature']);
    expect([await at(-301), await at(420), await at(-1e9)]).toEqual([undefined, undefined, undefined]);
    for (const timestamp of ['', 'now', '1e9', '-5', '12345678901234']) {
      expect([timestamp, await authenticate({ timestamp, secret: webhook.secret })]).toEqual([timestamp, undefined]);
    }
  });

  it('fails while the webhook, its account or its creator is disabled', async () => {
    const authenticateWithSecret = () => authenticate({ secret: webhook.secret });
    await updateIncomingWebhook(ctx, { webhookId: webhook.id, enabled: false });
    expect(await authenticateWithSecret()).toBeUndefined();
    await updateIncomingWebhook(ctx, { webhookId: webhook.id, enabled: true });
    expect(await authenticateWithSecret()).toBe('secret');
    await source.query('update accounts set disabled_at = now()');
    expect(await authenticateWithSecret()).toBeUndefined();
    await source.query('update accounts set disabled_at = null');
    const userId = newId();
    await source.query(`insert into users (id, email, account_id) values ($1, 'a@lensforge.test', $2)`, [
      userId,
      ctx.actor.accountId,
    ]);
    await source.query('update incoming_webhooks set created_by = $1', [userId]);
    expect(await authenticateWithSecret()).toBe('secret');
    await source.query('update users set disabled_at = now()');
    expect(await authenticateWithSecret()).toBeUndefined();
    await source.query('update incoming_webhooks set created_by = null');
  });

  it('stores no secret in plain text, and binds each sealed secret to its webhook', async () => {
    const other = await createIncomingWebhook(ctx, { workflowId: newId(), name: 'y' }, ring);
    const rows = await source.query<{ row: string }[]>('select w::text as row from incoming_webhooks w');
    for (const { row } of rows) {
      for (const text of [webhook.secret, Buffer.from(webhook.secret).toString('hex')]) expect(row).not.toContain(text);
    }
    await source.query(
      'update incoming_webhooks w set secret = o.secret from incoming_webhooks o where w.id = $1 and o.id = $2',
      [webhook.id, other.id],
    );
    expect(await authenticate({ signatures: [signed(body, other.secret)] })).toBeUndefined();
  });
});

describe('the log of incoming calls', () => {
  const call = (own: Partial<ReceivedCall> = {}): ReceivedCall => ({
    id: newId(),
    webhookId: webhook.id,
    status: 401,
    reason: 'no',
    via: null,
    runId: null,
    deliveryKey: null,
    body: null,
    bodyBytes: 3,
    address: '127.0.0.1',
    requestId: newId(),
    createdAt: new Date(),
    ...own,
  });
  const log = async () => (await listIncomingCalls(ctx, { webhookId: webhook.id, limit: 100 })).items;

  it('is written as a batch, and deleted after its retention or with its webhook', async () => {
    const runId = newId();
    const old = call({ id: `01800000-0000-7${newId().slice(15)}` });
    await recordIncomingCalls(source.manager, [call(), call({ status: 202, runId, reason: null }), old]);
    await recordIncomingCalls(source.manager, [call({ webhookId: newId() }), old]);
    expect((await log()).map(({ status }) => status)).toEqual([202, 401, 401]);
    expect(await deleteOldIncomingCalls(ctx, { days: 30, limit: 100 })).toBe(1);
    expect(await log()).toHaveLength(2);
    await removeIncomingWebhook(ctx, { webhookId: webhook.id });
    await recordIncomingCalls(source.manager, [call()]);
    await expect(log()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await deleteOldIncomingCalls(ctx, { days: 30, limit: 1 })).toBe(1);
    expect(await deleteOldIncomingCalls(ctx, { days: 30, limit: 100 })).toBe(1);
    await source.query(
      `update incoming_webhooks set removed_at = now() - interval '2 hours' where removed_at is not null`,
    );
    await deleteOldIncomingCalls(ctx, { days: 30, limit: 100 });
    expect(await source.query('select 1 from incoming_webhooks where id = $1', [webhook.id])).toEqual([]);
  });
});

describe('loggedBody', () => {
  it.each([
    [
      '{"password":"x","a":{"api_key":"y","Access-Token":7},"b":[{"client_secret":"z"}]}',
      '{"password":"[redacted]","a":{"api_key":"[redacted]","Access-Token":"[redacted]"},"b":[{"client_secret":"[redacted]"}]}',
    ],
    ['{"note":"use whsec_abcdefghijkl and lf_dev_0123456789"}', '{"note":"use [redacted] and [redacted]"}'],
    ['no JSON, whsec_abcdefghijkl', 'no JSON, [redacted]'],
    ['a-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig, x.eyJhbGciOiJub25lIn0.eyJ.', 'a-[redacted], x.[redacted]'],
    ['eyJ.eyJhbGciOiJub25lIn0, eyJhbGciOiJub25lIn0.e', 'eyJ.eyJhbGciOiJub25lIn0, eyJhbGciOiJub25lIn0.e'],
    ['{ "spaces" : 1 }', '{"spaces":1}'],
    ['', ''],
  ])('redacts and normalises %s', (sent, logged) => {
    expect(loggedBody(Buffer.from(sent))).toBe(logged);
  });

  it('returns at most 16 KB of whole characters without NUL', () => {
    const logged = loggedBody(Buffer.from(`"${'🎈'.repeat(10_000)}"`));
    expect(Buffer.byteLength(logged)).toBeLessThanOrEqual(16_384);
    expect(logged.isWellFormed()).toBe(true);
    expect(logged).not.toContain('\ufffd');
    expect(loggedBody(Buffer.from('a\0b'))).toBe('ab');
  });
});
