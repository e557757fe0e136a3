import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, type CredentialKind, credentialKinds, newId, platformActor } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { anAccount } from '@lensforge/identity/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { type Lens, type LensStatus, type LensVisibility, createLens, runnableLens, versionById } from './index.js';
import { aLens } from './testing.js';

let database: TestDatabase;
let source: DataSource;
let owner: Context;
let stranger: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  const noAccount = aContext(source.manager);
  owner = aContext(source.manager, { accountId: (await anAccount(noAccount)).id });
  stranger = aContext(source.manager, { accountId: (await anAccount(noAccount)).id });
});
afterAll(() => database.close());

const set = (lens: Lens, change: string) => source.query(`update lenses set ${change} where id = $1`, [lens.id]);
const reaches = (ctx: Context, lens: Lens) =>
  runnableLens(ctx, lens.id).then(
    (found) => found.id === lens.id,
    (reason: unknown) => {
      expect(reason).toMatchObject({
        code: 'NOT_FOUND',
        message: `There is no lens with the id ${lens.id} that you can reach`,
      });
      return false;
    },
  );
const as = (ctx: Context, kind: CredentialKind): Context => ({
  ...ctx,
  actor: kind === 'service_role' ? platformActor : { ...ctx.actor, credential: { kind, id: newId() } },
});

describe('runnableLens', () => {
  const visibilities: LensVisibility[] = ['public', 'community', 'private'];
  const statuses: LensStatus[] = ['published', 'draft', 'archived'];
  const kinds = credentialKinds.filter((kind) => kind !== 'service_role');

  describe.each(visibilities)('for a %s lens', (visibility) => {
    it.each(statuses)('that is %s, serves the callers that may see it', async (status) => {
      const lens = await aLens(owner, { visibility });
      await set(lens, `status = '${status}'`);
      for (const kind of kinds) {
        expect([kind, await reaches(as(owner, kind), lens)]).toEqual([kind, true]);
        const isOpen =
          status === 'published' && (visibility === 'public' || (visibility === 'community' && kind !== 'anonymous'));
        expect([kind, await reaches(as(stranger, kind), lens)]).toEqual([kind, isOpen]);
      }
      expect(await reaches(as(stranger, 'service_role'), lens)).toBe(true);
      await set(lens, 'deleted_at = now()');
      for (const ctx of [owner, stranger, as(owner, 'service_role')]) expect(await reaches(ctx, lens)).toBe(false);
    });
  });

  it('returns the current head version', async () => {
    const { lens, version } = await createLens(owner, { title: 'x', templateBody: 'one [[Name]]' });
    expect(await runnableLens(owner, lens.id)).toEqual({
      id: lens.id,
      accountId: lens.accountId,
      visibility: 'public',
      status: 'published',
      version: expect.objectContaining({ id: version.id, templateBody: 'one [[Name]]' }),
      defaultLabel: null,
      servedArms: null,
    });
    const next = newId();
    await source.query(
      `insert into lens_versions (id, lens_id, semver, template_body, params) values ($1, $2, '1.0.1', 'two', '[]')`,
      [next, lens.id],
    );
    await set(lens, `head_version_id = '${next}'`);
    expect(await runnableLens(owner, lens.id)).toMatchObject({ version: { id: next, templateBody: 'two' } });
    await expect(versionById(source.manager, version.id)).resolves.toMatchObject({ templateBody: 'one [[Name]]' });
    await expect(versionById(source.manager, newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('accepts an id in upper case', async () => {
    const lens = await aLens(owner);
    await expect(runnableLens(owner, lens.id.toUpperCase())).resolves.toMatchObject({ id: lens.id });
  });

  it('gives each of many concurrent callers the requested lens', async () => {
    const lenses = await Promise.all(Array.from({ length: 5 }, () => aLens(owner)));
    const requested = Array.from({ length: 300 }, (_, index) => lenses[index % 5]!);
    const found = await Promise.all(requested.map((lens) => runnableLens(owner, lens.id)));
    expect(found.map(({ id }) => id)).toEqual(requested.map(({ id }) => id));
    const mixed = await Promise.all([reaches(stranger, lenses[0]!), reaches(owner, { ...lenses[0]!, id: newId() })]);
    expect(mixed).toEqual([true, false]);
  });

  it('sees an uncommitted lens only inside its transaction', async () => {
    await inTransaction(owner, async (ctx) => {
      const lens = await aLens(ctx);
      expect([await reaches(ctx, lens), await reaches(owner, lens)]).toEqual([true, false]);
    });
  });
});

describe('createLens', () => {
  it('publishes version 1.0.0 with the parameters of its template', async () => {
    const { lens, version } = await createLens(owner, { title: 'Greet', templateBody: '[[Name]] [[Tone!]]' });
    expect(lens).toMatchObject({ accountId: owner.actor.accountId, status: 'published', visibility: 'public' });
    expect(version).toMatchObject({ lensId: lens.id, semver: '1.0.0' });
    expect(lens.headVersionId).toBe(version.id);
    expect(version.params).toEqual([
      { id: expect.any(String), label: 'Name', optional: false },
      { id: expect.any(String), label: 'Tone', optional: true },
    ]);
  });
});
