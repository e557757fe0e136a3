import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type LensFixture, lensFixture } from '../test/lens-fixture.js';
import {
  type LensFilter,
  type LensStatus,
  type LensVisibility,
  addLensUses,
  archiveLens,
  deleteLens,
  lensStatuses,
  lensVisibilities,
  listLenses,
  updateLens,
} from './index.js';
import { aLens } from './testing.js';

let fixture: LensFixture;
beforeAll(async () => {
  fixture = await lensFixture();
});
afterAll(() => fixture.close());

const inState = async (ctx: Context, visibility: LensVisibility, status: LensStatus): Promise<string> => {
  const title = `${visibility} ${status}`;
  const lens = await aLens(ctx, { visibility, status: status === 'draft' ? 'draft' : 'published', title });
  if (status === 'archived') await archiveLens(ctx, lens.id);
  return lens.id;
};
const titles = async (ctx: Context, filter: LensFilter = {}): Promise<string[]> => {
  const { items, total, hasMore } = await listLenses(ctx, { limit: 100, ...filter });
  expect([total, hasMore]).toEqual([items.length, false]);
  return items.map(({ title }) => title).sort();
};

describe('listLenses', () => {
  const everyState = lensVisibilities.flatMap((visibility) => lensStatuses.map((status) => ({ visibility, status })));

  it('lists and counts the lenses that the caller may see', async () => {
    const owner = await fixture.newAccount();
    for (const { visibility, status } of everyState) await inState(owner, visibility, status);
    const deleted = await aLens(owner, { title: 'deleted' });
    await deleteLens(owner, deleted.id);
    const { stranger, anonymous, platform } = fixture;
    const { accountId } = owner.actor;

    const own = everyState.map(({ visibility, status }) => `${visibility} ${status}`).sort();
    const shown = own.filter((title) => !title.endsWith('archived'));
    for (const ctx of [owner, platform]) {
      expect(await titles(ctx, { accountId })).toEqual(shown);
      expect(await titles(ctx, { accountId, includeArchived: true })).toEqual(own);
      for (const { visibility, status } of everyState) {
        expect(await titles(ctx, { accountId, visibility, status })).toEqual([`${visibility} ${status}`]);
      }
    }
    expect(await titles(owner)).toEqual(shown);
    const open = { includeArchived: true };
    expect(await titles(stranger, open)).toEqual(['community published', 'public published']);
    expect(await titles(stranger, { ...open, accountId: accountId.toUpperCase() })).toHaveLength(2);
    expect(await titles(anonymous, open)).toEqual(['public published']);
    expect(await titles(anonymous, { visibility: 'community' })).toEqual([]);
    for (const status of ['draft', 'archived'] as const) expect(await titles(stranger, { status })).toEqual([]);
    expect(await titles(stranger, { visibility: 'private' })).toEqual([]);
    expect(await titles(stranger, { accountId: newId() })).toEqual([]);
    expect(await titles(stranger, { accountId: stranger.actor.accountId })).toEqual([]);
  });

  it('keeps its totals correct under concurrent changes', async () => {
    const owner = await fixture.newAccount();
    const mine: LensFilter = { accountId: owner.actor.accountId, includeArchived: true };
    const lenses = await Promise.all(Array.from({ length: 8 }, () => aLens(owner)));
    const [first, second, ...others] = lenses as [(typeof lenses)[0], (typeof lenses)[0], ...typeof lenses];
    await Promise.all([
      deleteLens(owner, first.id),
      archiveLens(owner, second.id),
      ...others.map(({ id }) => updateLens(owner, { lensId: id, visibility: 'private' })),
    ]);
    expect(await titles(owner, mine)).toHaveLength(7);
    expect(await titles(owner, { ...mine, visibility: 'private' })).toHaveLength(6);
    expect(await titles(fixture.stranger, mine)).toEqual([]);
    const counted = await fixture.source.query<unknown[]>(
      `select c.* from lens_counts c where owner <> $1 and n <> (select count(*) from lenses l where l.deleted_at is null
          and (l.account_id, l.status, l.visibility) = (c.owner, c.status, c.visibility))`,
      [fixture.platform.actor.accountId],
    );
    expect(counted).toEqual([]);
    const [sums] = await fixture.source.query<[{ counted: string; stored: string }]>(
      `select (select sum(n) from lens_counts where owner = $1) as counted,
              (select count(*) from lenses where deleted_at is null) as stored`,
      [fixture.platform.actor.accountId],
    );
    expect(sums.counted).toBe(sums.stored);
  });

  it('paginates by limit and offset, newest first, in any order of pages', async () => {
    const owner = await fixture.newAccount();
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) made.unshift(await inState(owner, n % 2 ? 'private' : 'public', 'published'));
    const accountId = owner.actor.accountId;
    const page = (offset: number, limit = 3, sort: LensFilter['sort'] = 'newest') =>
      listLenses(owner, { accountId, limit, offset, sort });
    const ids = async (...position: Parameters<typeof page>) => (await page(...position)).items.map(({ id }) => id);
    for (const offset of [5, 0, 3, 6, 1, 7, 99, 5000])
      expect(await ids(offset)).toEqual(made.slice(offset, offset + 3));
    expect(await page(3, 4)).toMatchObject({ total: 7, limit: 4, offset: 3, hasMore: false });
    expect(await page(3, 3)).toMatchObject({ total: 7, limit: 3, offset: 3, hasMore: true });
    expect(await page(0, 7)).toMatchObject({ hasMore: false });
    await aLens(owner);
    expect(await ids(3)).toEqual(made.slice(3, 6));

    await addLensUses(
      fixture.source.manager,
      new Map([
        [made[4] ?? '', 100],
        [made[2] ?? '', 10],
      ]),
    );
    const popular = [...(await ids(0, 2, 'popular')), ...(await ids(2, 2, 'popular'))];
    expect(popular.slice(0, 2)).toEqual([made[4], made[2]]);
    expect(new Set(popular).size).toBe(4);
  });

  it('returns all members of a summary', async () => {
    const owner = await fixture.newAccount();
    const lens = await aLens(owner, { title: 'Told', description: 'of', tags: ['Work'] });
    const { items } = await listLenses(owner, { accountId: owner.actor.accountId });
    expect(items).toEqual([
      {
        id: lens.id,
        title: 'Told',
        description: 'of',
        visibility: 'public',
        status: 'published',
        author: { id: owner.actor.accountId, handle: expect.any(String), displayName: expect.any(String) },
        headVersion: { id: lens.headVersionId, semver: '1.0.0' },
        params: [
          { id: expect.any(String), label: 'Name', optional: false },
          { id: expect.any(String), label: 'Tone', optional: true },
        ],
        tags: ['work'],
        createdAt: lens.createdAt.toISOString(),
        updatedAt: lens.createdAt.toISOString(),
      },
    ]);
  });

  it('filters by a tag in any case', async () => {
    const owner = await fixture.newAccount();
    const accountId = owner.actor.accountId;
    for (const tags of [['Poems', 'fun'], ['fun'], []]) await aLens(owner, { title: tags.join() || 'none', tags });
    await aLens(owner, { title: 'hidden', tags: ['fun'], visibility: 'private' });
    expect(await titles(owner, { accountId, tag: ' FUN ' })).toEqual(['Poems,fun', 'fun', 'hidden']);
    expect(await titles(fixture.stranger, { accountId, tag: 'fun' })).toEqual(['Poems,fun', 'fun']);
    expect(await titles(fixture.stranger, { tag: 'poems' })).toEqual(['Poems,fun']);
    expect(await titles(owner, { tag: 'nothing' })).toEqual([]);
  });
});

describe('addLensUses', () => {
  it('raises the popularity in steps and ignores lenses that do not exist', async () => {
    const { id } = await aLens(fixture.owner);
    const popularity = async (): Promise<number> => {
      const [row] = await fixture.source.query<[{ popularity: number }]>(
        'select popularity from lenses where id = $1',
        [id],
      );
      return row.popularity;
    };
    await addLensUses(fixture.source.manager, new Map());
    expect(await popularity()).toBe(0);
    const seen: number[] = [];
    for (const uses of [1, 1, 10, 100, 1]) {
      await addLensUses(
        fixture.source.manager,
        new Map([
          [id, uses],
          [newId(), 3],
        ]),
      );
      seen.push(await popularity());
    }
    expect(seen).toEqual([1, 2, 6, 11, 11]);
  });
});
