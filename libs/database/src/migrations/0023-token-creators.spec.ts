import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import type { FreshDatabase } from '@lensforge/testing';
import { freshDatabase } from '@lensforge/testing';
import { Client } from 'pg';
import { migrate } from '../migrate.js';
import { tokenCreators } from './0023-token-creators.js';
import { migrations } from './index.js';

let database: FreshDatabase;
let client: Client;
beforeAll(async () => {
  database = await freshDatabase({ empty: true });
  client = new Client({ connectionString: database.url });
  await client.connect();
  await migrate(
    database.url,
    migrations.filter(({ version }) => version < tokenCreators.version),
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const [person, community] = [newId(), newId()];
const connector = newId();

async function account(id: string, kind: 'person' | 'community'): Promise<void> {
  await client.query(`insert into accounts (id, kind, handle, display_name) values ($1, $2, $3, 'x')`, [
    id,
    kind,
    `a-${id}`,
  ]);
}

async function token(
  kind: string,
  { owner = community, of = null, limit = null }: { owner?: string; of?: string | null; limit?: number | null } = {},
): Promise<string> {
  const id = newId();
  await client.query(
    `insert into api_tokens (id, kind, hash, prefix, account_id, label, scopes, connector_id, credit_limit, revoked_at)
     values ($1, $2, decode(replace($7, '-', ''), 'hex'), 'x', $3, 'x', '{}', $4, $5, $6)`,
    [id, kind, owner, of, limit, of === null ? null : new Date(), id],
  );
  return id;
}

let sequence = 0;
async function entry(action: string, actor: object, facts: { target?: object; details?: object }): Promise<void> {
  sequence += 1;
  await client.query(
    `insert into audit_entries (account_id, sequence, id, action, actor, target, details, request_id, occurred_at, previous_hash, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $3, now(), '', '')`,
    [
      community,
      sequence,
      newId(),
      action,
      JSON.stringify(actor),
      JSON.stringify(facts.target ?? null),
      JSON.stringify(facts.details ?? {}),
    ],
  );
}

describe('the migration that gives tokens their creators', () => {
  it('finds them in the audit log, through other tokens as well, and keeps the limits of connectors', async () => {
    await account(person, 'person');
    await account(community, 'community');
    await client.query(
      `insert into connectors (id, account_id, name, scopes, ttl_days) values ($1, $2, 'x', '{}', 90)`,
      [connector, community],
    );
    const session = { credential: 'session', credentialId: newId(), accountId: person };
    const made = await token('organisation');
    await entry('token.created', session, { target: { kind: 'token', id: made } });
    const byToken = await token('organisation');
    const acting = { credential: 'organisation', credentialId: made, accountId: community };
    await entry('token.created', acting, { target: { kind: 'token', id: byToken } });
    const first = await token('service', { of: connector, limit: 500 });
    await entry('connector.created', { ...acting, credentialId: byToken }, { details: { tokenId: first } });
    const rotated = await token('service', { of: connector, limit: 70 });
    await entry('token.rotated', session, { details: { tokenId: rotated } });
    const unknown = await token('organisation');
    const own = await token('developer', { owner: person });

    expect(await migrate(database.url, migrations)).toContain('0023-token-creators');
    const { rows } = await client.query<{ id: string; by: string | null }>(
      'select id, created_by as by from api_tokens',
    );
    const creators = new Map(rows.map(({ id, by }) => [id, by]));
    for (const id of [made, byToken, first, rotated]) expect(creators.get(id)).toBe(person);
    for (const id of [unknown, own]) expect(creators.get(id)).toBeNull();
    const limits = await client.query('select credit_limit, credit_period from connectors where id = $1', [connector]);
    expect(limits.rows).toEqual([{ credit_limit: '70', credit_period: 'month' }]);
  });
});
