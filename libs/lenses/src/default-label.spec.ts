import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { chooseArm, hashStickyKey, stickyHashOf } from '@lensforge/releases';
import { type LensFixture, lensFixture, refusal } from '../test/lens-fixture.js';
import {
  findAndRunLens,
  forkLens,
  getLens,
  importLens,
  searchLenses,
  removeLensLabel,
  runLens,
  runnableLens,
  servedAt,
  setLensLabel,
  updateLens,
} from './index.js';
import { aLens, exportedLens } from './testing.js';

let fixture: LensFixture;
beforeAll(async () => {
  fixture = await lensFixture();
});
afterAll(() => fixture.close());

const text = (version: string): string => `${version} of the greeting for [[Name]], written for tests of releases`;

/** A lens whose default label is at 1.0.0, with a newer text. */
async function aReleasedLens(title = 'Released'): Promise<string> {
  const { owner } = fixture;
  const { id: lensId } = await aLens(owner, { title, templateBody: text('First') });
  await setLensLabel(owner, { lensId, label: 'production', version: '1.0.0' });
  await updateLens(owner, { lensId, defaultLabel: 'production' });
  await updateLens(owner, { lensId, templateBody: text('Second') });
  return lensId;
}

const served = async (ctx: Context, lensId: string): Promise<string> => {
  const { resolvedPrompt } = await runLens(ctx, { lensId, paramValues: { Name: 'Ada' } });
  const { version, servedArms } = await runnableLens(ctx, lensId);
  if (!servedArms) expect(resolvedPrompt.split(' ')[0]).toBe(version.templateBody.split(' ')[0]);
  return resolvedPrompt.split(' ')[0] ?? '';
};

describe('a lens with a default label', () => {
  it('gives its version to callers that name none, until the label moves', async () => {
    const { owner, stranger } = fixture;
    const lensId = await aReleasedLens();
    for (const ctx of [owner, stranger]) expect(await served(ctx, lensId)).toBe('First');
    await setLensLabel(owner, { lensId, label: 'production', version: '1.0.1' });
    expect(await served(stranger, lensId)).toBe('Second');
    await setLensLabel(owner, { lensId, label: 'production', version: '1.0.0' });
    expect(await served(stranger, lensId)).toBe('First');
    await updateLens(owner, { lensId, defaultLabel: null });
    expect(await served(stranger, lensId)).toBe('Second');
  });

  it('is edited at its newest version, and shown to others at the one that they get', async () => {
    const { owner, stranger } = fixture;
    const lensId = await aReleasedLens();
    const newest = { headVersion: { semver: '1.0.1' }, templateBody: text('Second') };
    const released = { headVersion: { semver: '1.0.0' }, templateBody: text('First') };
    const both = { defaultLabel: 'production', servedVersion: { semver: '1.0.0' } };
    expect(await getLens(owner, lensId)).toMatchObject({ ...newest, ...both });
    expect(await getLens(stranger, lensId)).toMatchObject({ ...released, ...both });
    const { id: forkId } = (await forkLens(stranger, { sourceLensId: lensId })).lens;
    expect((await getLens(stranger, forkId)).templateBody).toBe(text('First'));
    const third = await updateLens(owner, { lensId, templateBody: text('Third') });
    expect(third.semver).toBe('1.0.2');
    expect(await served(stranger, lensId)).toBe('First');
  });

  it('is listed and found by the text that callers get', async () => {
    const { owner, stranger } = fixture;
    const lensId = await aReleasedLens('Xylophone');
    await updateLens(owner, { lensId, templateBody: `${text('Second')} quokka` });
    const { items } = await searchLenses(stranger, { query: 'xylophone' });
    expect(items).toMatchObject([{ id: lensId, headVersion: { semver: '1.0.0' } }]);
    expect((await searchLenses(stranger, { query: 'quokka' })).items).toEqual([]);
    expect(await findAndRunLens(stranger, { query: 'xylophone', paramValues: { Name: 'Ada' } })).toMatchObject({
      resolvedPrompt: expect.stringContaining('First'),
    });
    await setLensLabel(owner, { lensId, label: 'production', version: '1.0.2' });
    expect((await searchLenses(stranger, { query: 'quokka' })).items).toMatchObject([{ id: lensId }]);
  });

  it('is included by others at the version that they get', async () => {
    const { owner } = fixture;
    const lensId = await aReleasedLens('Included');
    const { handle } = (await getLens(owner, lensId)).author;
    const including = await aLens(owner, { templateBody: `[[> ${handle}/${lensId}]] and more` });
    expect((await getLens(owner, including.id)).includes).toMatchObject([{ semver: '1.0.0' }]);
  });

  it('had the version of a moment, also after later moves', async () => {
    const { owner } = fixture;
    const lensId = await aReleasedLens();
    const between = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await setLensLabel(owner, { lensId, label: 'production', version: '1.0.1' });
    const lens = await runnableLens(owner, lensId);
    const at = async (moment: string) => (await servedAt(owner.db, lens, { moment, stickyHash: '' })).semver;
    expect(await at(between)).toBe('1.0.0');
    expect(await at(new Date().toISOString())).toBe('1.0.1');
  });

  it('gives its arms to a part of the callers, now and at a moment', async () => {
    const { owner } = fixture;
    const lensId = await aReleasedLens();
    const before = await runnableLens(owner, lensId);
    const arms = [{ version: '1.0.1', weight: 50 }];
    await setLensLabel(owner, { lensId, label: 'production', version: '1.0.0', arms });
    const lens = await runnableLens(owner, lensId);
    const { arms: stored } = (await getLens(owner, lensId)).labels[0] ?? {};
    const split = { versionId: lens.version.id, arms: stored ?? null };
    const first = (hash: string) => chooseArm(split, `${lensId} production`, hash) === lens.version.id;
    expect(await served(owner, lensId)).toBe(first(stickyHashOf(owner, null)) ? 'First' : 'Second');
    const moment = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await setLensLabel(owner, { lensId, label: 'production', version: '1.0.0', arms: null });
    const keys = Array.from({ length: 20 }, (_, at) => hashStickyKey(String(at)));
    for (const stickyHash of keys) {
      const { semver } = await servedAt(owner.db, before, { moment, stickyHash });
      expect(semver).toBe(first(stickyHash) ? '1.0.0' : '1.0.1');
    }
    expect(new Set(keys.map(first)).size).toBe(2);
  });

  it('keeps that label: it must exist, and cannot be removed', async () => {
    const { owner } = fixture;
    const lensId = await aReleasedLens();
    expect(await refusal(updateLens(owner, { lensId, defaultLabel: 'nothing' }))).toMatchObject({ code: 'BAD_INPUT' });
    expect(await refusal(removeLensLabel(owner, { lensId, label: 'production' }))).toMatchObject({ code: 'CONFLICT' });
  });

  it('with a protected label is changed by a person alone', async () => {
    const { owner } = fixture;
    const lensId = await aReleasedLens();
    const person: Context = { ...owner, actor: { ...owner.actor, credential: { kind: 'session', id: 'a' } } };
    await setLensLabel(person, { lensId, label: 'production', version: '1.0.0', protected: true });
    await setLensLabel(owner, { lensId, label: 'staging', version: '1.0.1' });
    for (const defaultLabel of [null, 'staging']) {
      expect(await refusal(updateLens(owner, { lensId, defaultLabel }))).toMatchObject({ code: 'FORBIDDEN' });
    }
    await updateLens(owner, { lensId, title: 'Another', defaultLabel: 'production' });
    await updateLens(person, { lensId, defaultLabel: 'staging' });
    expect(await served(owner, lensId)).toBe('Second');
  });

  it('keeps the default in exports', async () => {
    const { owner } = fixture;
    const file = await exportedLens(owner, await aReleasedLens());
    const { lensId } = await importLens(owner, file);
    expect(await served(owner, lensId)).toBe('First');
  });
});
