import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import {
  getLens,
  listLabelMoves,
  createLens,
  listIncludingLenses,
  getLensDraft,
  listLensCases,
  listLensVersions,
  listLenses,
  listNumberedVersions,
  listOwnNames,
  searchLenses,
  saveCandidate,
  updateLens,
} from '@lensforge/lenses';
import { listProposalIds } from '@lensforge/releases';
import { aContext, fillDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { indexesOf } from './query-plan-reader.js';

/** 12,000 lenses of 2,000 accounts, one for each of six states. docs/query-plans.md has a million. */
const fill = `
insert into accounts (id, kind, handle, display_name) select uuidv7(), 'person', 'a-' || i, 'x' from generate_series(1, 2000) i;
insert into lenses (id, account_id, title, visibility, status, head_version_id, search_vector)
  select uuidv7(), id, 'x', v, s, uuidv7(), lens_search_vector(replace(handle, 'a-', 'word'), '{}', '', 'write')
    from accounts, unnest(array['public', 'community', 'private']) v, unnest(array['published', 'draft']) s;
insert into lens_versions (id, lens_id, semver, template_body, params) select head_version_id, id, '1.0.0', 'x', '[]' from lenses;
insert into lens_labels select id, 'production', head_version_id from lenses;
insert into lens_label_moves select uuidv7(), id, 'production', head_version_id, 'session', now() from lenses;
insert into lens_drafts (lens_id, template_body, changelog, base_version_id, updated_at) select id, 'x', '', head_version_id, now() from lenses;
insert into lens_cases (id, lens_id, name, params, updated_at) select uuidv7(), id, 'case ' || i, '{}', now() from lenses, generate_series(1, 3) i;
insert into label_proposals (id, kind, owner_id, account_id, label, move, approvers, proposed_at, expires_at, status)
  select uuidv7(), 'lens', id, account_id, 'production', '{}', array[account_id], now(), now() + interval '1 day', 'pending' from lenses;
insert into search_terms select replace(handle, 'a-', 'word') from accounts`;

let database: TestDatabase;
let source: DataSource;
let lens: string;
let owner: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  await fillDatabase(database.url, fill);
  [{ id: lens, owner }] = await source.query<[{ id: string; owner: string }]>(
    'select id, account_id as owner from lenses offset 5000 limit 1',
  );
});
afterAll(() => database.close());

const items = ['accounts by accounts_pkey', 'lens_versions by lens_versions_pkey', 'lenses by lenses_pkey'];
const counts = 'lens_counts by lens_counts_pkey';
const ofAccount = /by lenses_(own_newest|own_popular|account)$/;
const asOwner = (ctx: Context): Context => aContext(ctx.db, { accountId: owner });

const calls: [string, (ctx: Context) => Promise<unknown>, (string | RegExp)[]][] = [
  ['listing what one may see', (ctx) => listLenses(asOwner(ctx)), [...items, counts, /by lenses_newest$/, ofAccount]],
  ['listing everything', (ctx) => listLenses(ctx, { offset: 100 }), [...items, counts, /by lenses_newest$/]],
  ['listing the popular', (ctx) => listLenses(ctx, { sort: 'popular' }), [...items, counts, /by lenses_popular$/]],
  ['listing those of an account', (ctx) => listLenses(ctx, { accountId: owner }), [...items, counts, ofAccount]],
  [
    'searching',
    (ctx) => searchLenses(asOwner(ctx), { query: 'word77' }),
    [...items, /by lenses_search(_title)?$/, ofAccount],
  ],
  [
    'searching for what looks alike',
    (ctx) => searchLenses(asOwner(ctx), { query: 'qqqqq' }),
    [/by lenses_search(_title)?$/, ofAccount, /by search_terms_similar$/, /by search_terms_pkey$/],
  ],
  ['reading one', (ctx) => getLens(ctx, lens), [...items, /by lens_labels_pkey$/]],
  [
    'listing versions',
    (ctx) => listLensVersions(ctx, { lensId: lens }),
    ['lenses by lenses_pkey', /by lens_versions_(newest|semver)$/],
  ],
  [
    'naming those of an account',
    (ctx) => listOwnNames(asOwner(ctx), 100),
    ['accounts by accounts_pkey', 'lens_versions by lens_versions_pkey', ofAccount],
  ],
  [
    'numbering versions',
    (ctx) => listNumberedVersions(ctx, [lens]),
    [/by lens_versions_(newest|semver)$/, /by lens_labels_(pkey|version)$/],
  ],
  [
    'listing the moves of labels',
    (ctx) => listLabelMoves(asOwner(ctx), lens, { limit: 20 }),
    ['lenses by lenses_pkey', 'lens_label_moves by lens_label_moves_newest', 'lens_versions by lens_versions_pkey'],
  ],
  [
    'listing the moves that wait for a second person',
    (ctx) => listProposalIds(asOwner(ctx), { limit: 20 }),
    [/by label_proposals_(account|approvers)$/, /^memberships by /],
  ],
  [
    'listing those that include one',
    (ctx) => listIncludingLenses(asOwner(ctx), lens, { limit: 20 }),
    ['lenses by lenses_pkey', 'bitmap by lens_versions_includes', ofAccount],
  ],
  [
    'including one',
    (ctx) => createLens(asOwner(ctx), { title: 'x', templateBody: '[[> nobody/at-all]]' }).catch(() => undefined),
    [/^accounts by /, ofAccount],
  ],
  [
    'listing cases',
    (ctx) => listLensCases(asOwner(ctx), lens, { limit: 20 }),
    ['lenses by lenses_pkey', /by lens_cases_(name|pkey)$/],
  ],
  [
    'reading its draft',
    (ctx) => getLensDraft(asOwner(ctx), lens),
    ['lens_drafts by lens_drafts_pkey', 'lenses by lenses_pkey'],
  ],
  [
    'changing one',
    (ctx) => updateLens(ctx, { lensId: lens, templateBody: 'other' }),
    ['lenses by lenses_pkey', 'lens_versions by lens_versions_pkey'],
  ],
  [
    'saving a candidate',
    (ctx) => saveCandidate(ctx, { lensId: lens, templateBody: 'tried' }),
    ['lenses by lenses_pkey', 'lens_versions by lens_versions_pkey', 'lens_versions by lens_versions_semver'],
  ],
];

describe('a query on lenses uses an index:', () => {
  it.each(calls)('%s', async (_, call, expected) => {
    const ways = await indexesOf(source, call);
    for (const way of expected) expect(ways).toContainEqual(typeof way === 'string' ? way : expect.stringMatching(way));
    for (const way of ways) {
      const isExpected = expected.some((one) => (typeof one === 'string' ? one === way : one.test(way)));
      expect([way, isExpected]).toEqual([way, true]);
    }
  });
});
