import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { anAccount } from '@lensforge/identity/testing';
import { type LensFixture, lensFixture, refusal } from '../test/lens-fixture.js';
import {
  archiveLens,
  deleteLens,
  diffLensVersions,
  exportLens,
  extractLensParams,
  forkLens,
  getLens,
  listLensVersions,
  publishLens,
  removeLensLabel,
  restoreLens,
  runLens,
  runnableLens,
  setLensLabel,
  setLensVisibility,
  updateLens,
  validateLensParams,
} from './index.js';
import { aLens } from './testing.js';

let fixture: LensFixture;
beforeAll(async () => {
  fixture = await lensFixture();
});
afterAll(() => fixture.close());

type Call = (ctx: Context, lensId: string) => Promise<unknown>;
const reads: [string, Call][] = [
  ['getLens', getLens],
  ['listLensVersions', (ctx, lensId) => listLensVersions(ctx, { lensId })],
  ['extractLensParams', (ctx, lensId) => extractLensParams(ctx, { lensId })],
  ['validateLensParams', (ctx, lensId) => validateLensParams(ctx, { lensId, values: {} })],
  ['runLens', (ctx, lensId) => runLens(ctx, { lensId, paramValues: { name: 'x' } })],
  ['runnableLens', (ctx, lensId) => runnableLens(ctx, lensId)],
  ['diffLensVersions', (ctx, lensId) => diffLensVersions(ctx, { lensId, from: '1.0.0' })],
  ['exportLens', exportLens],
];
const writes: [string, Call][] = [
  ['publishLens', publishLens],
  ['updateLens', (ctx, lensId) => updateLens(ctx, { lensId, title: 'new' })],
  ['setLensVisibility', (ctx, lensId) => setLensVisibility(ctx, { lensId, visibility: 'public' })],
  ['setLensLabel', (ctx, lensId) => setLensLabel(ctx, { lensId, label: 'staging', version: '1.0.0' })],
  ['removeLensLabel', (ctx, lensId) => removeLensLabel(ctx, { lensId, label: 'staging' })],
  ['archiveLens', archiveLens],
  ['restoreLens', restoreLens],
  ['deleteLens', deleteLens],
];

describe('access to a lens', () => {
  it.each(reads)('%s serves callers that may see the lens and answers NOT_FOUND to others', async (_, call) => {
    const { owner, stranger, anonymous, platform } = fixture;
    const missing = newId();
    for (const [overrides, open] of [
      [{ visibility: 'public' }, [stranger, anonymous]],
      [{ visibility: 'community' }, [stranger]],
      [{ visibility: 'private' }, []],
      [{ visibility: 'public', status: 'draft' }, []],
    ] as const) {
      const { id } = await aLens(owner, overrides);
      for (const ctx of overrides.visibility === 'private' ? [] : [owner, platform, ...open]) await call(ctx, id);
      for (const ctx of [stranger, anonymous].filter((each) => !(open as readonly Context[]).includes(each))) {
        const [hidden, absent] = [await refusal(call(ctx, id)), await refusal(call(ctx, missing))];
        expect([hidden.code, hidden.message.replace(id, '')]).toEqual([
          'NOT_FOUND',
          absent.message.replace(missing, ''),
        ]);
        expect(hidden.details).toEqual(absent.details);
      }
    }
  });

  it.each(writes)(
    '%s refuses other accounts: FORBIDDEN for a visible lens, NOT_FOUND for a hidden one',
    async (_, call) => {
      const { owner, stranger, anonymous } = fixture;
      const [open, hidden, missing] = [await aLens(owner), await aLens(owner, { status: 'draft' }), newId()];
      for (const ctx of [stranger, anonymous]) {
        expect(await refusal(call(ctx, open.id))).toMatchObject({ code: 'FORBIDDEN' });
        const [a, b] = [await refusal(call(ctx, hidden.id)), await refusal(call(ctx, missing))];
        expect([a.code, a.message.replace(hidden.id, '')]).toEqual(['NOT_FOUND', b.message.replace(missing, '')]);
      }
      expect(await getLens(owner, open.id)).toMatchObject({ status: 'published', title: 'A lens', labels: [] });
    },
  );

  it('ends for every caller when the lens is deleted', async () => {
    const { owner, platform } = fixture;
    const { id } = await aLens(owner);
    const fork = await forkLens(owner, { sourceLensId: id });
    expect(await getLens(owner, fork.lens.id)).toMatchObject({ parentLensId: id });
    expect(await deleteLens(owner, id)).toEqual({ deleted: true, lensId: id });
    for (const [name, call] of [...reads, ...writes]) {
      for (const ctx of [owner, platform]) {
        expect([name, await refusal(call(ctx, id))]).toMatchObject([name, { code: 'NOT_FOUND' }]);
      }
    }
    expect(await getLens(owner, fork.lens.id)).toMatchObject({ parentLensId: null });
    const [entry] = await fixture.source.query<[object]>(
      `select account_id, e.target, d.details from audit_entries e join audit_details d using (account_id, sequence)
        where e.action = 'lens.deleted' and e.target ->> 'id' = $1`,
      [id],
    );
    expect(entry).toEqual({
      account_id: owner.actor.accountId,
      target: { kind: 'lens', id },
      details: { title: 'A lens' },
    });
  });
});

describe('the status of a lens', () => {
  it('changes by publish, archive and restore, with an event when it becomes published', async () => {
    const { owner, stranger, takeEvents } = fixture;
    await takeEvents();
    const { id } = await aLens(owner, { status: 'draft' });
    expect(await refusal(restoreLens(owner, id))).toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(await archiveLens(owner, id)).toEqual({ lensId: id, status: 'archived' });
    expect(await refusal(publishLens(owner, id))).toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(await restoreLens(owner, id)).toEqual({ lensId: id, status: 'draft' });
    expect(await takeEvents()).toEqual([]);
    for (let times = 0; times < 2; times += 1) {
      expect(await publishLens(owner, id)).toEqual({ lensId: id, status: 'published' });
    }
    expect(await takeEvents()).toEqual([{ lensId: id, version: '1.0.0' }]);
    await getLens(stranger, id);
    for (let times = 0; times < 2; times += 1) await archiveLens(owner, id);
    expect(await refusal(getLens(stranger, id))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await getLens(owner, id)).toMatchObject({ status: 'archived' });
    expect(await restoreLens(owner, id)).toEqual({ lensId: id, status: 'published' });
    expect(await takeEvents()).toEqual([{ lensId: id, version: '1.0.0' }]);
  });
});

describe('forkLens', () => {
  it('keeps a community lens in the community by default when a community forks it', async () => {
    const { owner, stranger } = fixture;
    const communityLens = await aLens(owner, { visibility: 'community' });
    const publicLens = await aLens(owner, { visibility: 'public' });
    const { id: communityId } = await anAccount(owner, { kind: 'community' });
    const community = { ...stranger, actor: { ...stranger.actor, accountId: communityId, userId: null } };
    const made = async (sourceLensId: string, visibility?: 'public' | 'private') =>
      (await getLens(community, (await forkLens(community, { sourceLensId, visibility })).lens.id)).visibility;
    expect(await made(communityLens.id)).toBe('community');
    expect(await made(publicLens.id)).toBe('public');
    expect(await made(communityLens.id, 'public')).toBe('public');
    expect(await made(communityLens.id, 'private')).toBe('private');
  });

  it('copies the source into a lens of the caller', async () => {
    const { owner, stranger } = fixture;
    const source = await aLens(owner, { title: 'Source', description: 'd', tags: ['t'], visibility: 'community' });
    const { lens, version } = await forkLens(stranger, { sourceLensId: source.id });
    const fork = await getLens(stranger, lens.id);
    expect(fork).toMatchObject({
      title: `Fork of ${source.id}`,
      description: 'd',
      tags: ['t'],
      visibility: 'public',
      status: 'published',
      parentLensId: source.id,
      author: { id: stranger.actor.accountId },
      headVersion: { id: version.id, semver: '1.0.0' },
      templateBody: (await getLens(owner, source.id)).templateBody,
    });
    const own = { title: 'Own', templateBody: 'mine [[X]]', visibility: 'private' } as const;
    const other = await forkLens(stranger, { sourceLensId: source.id, ...own });
    expect(await getLens(stranger, other.lens.id)).toMatchObject({ ...own, params: [{ label: 'X' }] });
    await setLensVisibility(owner, { lensId: source.id, visibility: 'private' });
    expect(await getLens(stranger, lens.id)).toMatchObject({ parentLensId: null });
    expect(await getLens(owner, lens.id)).toMatchObject({ parentLensId: source.id });
    expect(await refusal(forkLens(owner, { sourceLensId: source.id }))).toMatchObject({ code: 'BAD_INPUT' });
    for (const sourceLensId of [source.id, newId()]) {
      expect(await refusal(forkLens(stranger, { sourceLensId }))).toMatchObject({ code: 'NOT_FOUND' });
    }
    for (const ctx of [fixture.platform, fixture.anonymous]) {
      expect(await refusal(forkLens(ctx, { sourceLensId: lens.id }))).toMatchObject({ code: 'MISSING_LENSER' });
    }
  });
});
