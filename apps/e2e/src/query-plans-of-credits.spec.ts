import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { forecastCredits, listCreditEntries } from '@lensforge/credits';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { listOwnSponsorships } from '@lensforge/runs';
import { aContext, fillDatabase } from '@lensforge/testing';
import { indexesOf } from './query-plan-reader.js';

const owner = newId();

/** A thousand accounts, each with a hundred entries in the ledger and twenty lenses that it sponsors. */
const fill = `
insert into accounts (id, kind, handle, display_name)
  select case when i = 1 then '${owner}'::uuid else gen_random_uuid() end, 'person', 'a-' || i, 'x' from generate_series(1, 1000) i;
insert into credit_accounts (account_id, available) select id, 1000 from accounts;
insert into credit_entries (id, account_id, run_id, kind, debit, credit, amount)
  select uuidv7(), id, gen_random_uuid(), 'capture', 'held', 'spent', i from accounts, generate_series(1, 100) i;
begin;
insert into lenses (id, account_id, title, visibility, status, head_version_id)
  select uuidv7(), id, 'x', 'public', 'published', gen_random_uuid() from accounts, generate_series(1, 20) i;
insert into lens_versions (id, lens_id, semver, template_body, params) select head_version_id, id, '1.0.0', 'x', '[]' from lenses;
commit;
insert into lens_sponsorships (lens_id, account_id, enabled, credits, period) select id, account_id, true, 100, 'month' from lenses;
insert into credit_uses (id, month) select id, '2026-11-01' from lenses`;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await fillDatabase(database.url, fill);
});
afterAll(() => database.close());

const own = ({ db }: Context): Context => aContext(db, { accountId: owner });
const entries = /^credit_entries by credit_entries_account$/;

const calls: [string, (ctx: Context) => Promise<unknown>, RegExp[]][] = [
  ['listing the ledger', (ctx) => listCreditEntries(own(ctx), { limit: 20, offset: 50 }), [entries]],
  ['forecasting credits', (ctx) => forecastCredits(own(ctx)), [entries, /^credit_accounts by credit_accounts_pkey$/]],
  [
    'listing sponsor pools',
    (ctx) => listOwnSponsorships(own(ctx), { limit: 20 }),
    [/ by lens_sponsorships_account$/, /^lenses by lenses_(pkey|account)$/, /^credit_uses by credit_uses_pkey$/],
  ],
];

describe('a query of credits uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(database.source, call);
    expect(ways.length).toBeGreaterThan(0);
    for (const way of ways) expect([way, expected.some((one) => one.test(way))]).toEqual([way, true]);
  });
});
