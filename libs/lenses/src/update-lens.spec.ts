import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { type LensFixture, lensFixture, refusal } from '../test/lens-fixture.js';
import {
  type LensChange,
  type ParamRequest,
  archiveLens,
  contractChange,
  createLens,
  extractLensParams,
  getLens,
  getLensVersion,
  listLensVersions,
  restoreLens,
  setLensVisibility,
  updateLens,
} from './index.js';
import { aLens } from './testing.js';

let fixture: LensFixture;
beforeAll(async () => {
  fixture = await lensFixture();
});
afterAll(() => fixture.close());

describe('contractChange', () => {
  const of = (text: string): ParamRequest[] =>
    text === ''
      ? []
      : text.split(' ').map((label) => ({ label: label.replace('!', ''), optional: label.endsWith('!') }));
  it.each([
    ['no change', 'a b!', 'a b!', 'patch'],
    ['another order and case', 'a b!', 'B! A', 'patch'],
    ['an added required parameter', 'a', 'a b', 'major'],
    ['an added optional parameter', 'a', 'a b!', 'minor'],
    ['a removed parameter', 'a b!', 'a', 'major'],
    ['a renamed parameter', 'a', 'b', 'major'],
    ['a renamed optional parameter', 'a!', 'b!', 'major'],
    ['a required parameter made optional', 'a', 'a!', 'minor'],
    ['an optional parameter made required', 'a!', 'a', 'major'],
    ['an added optional and a removed required parameter', 'a b', 'a c!', 'major'],
  ])('answers for %s, from "%s" to "%s", with the bump %s', (_, before, after, bump) => {
    expect(contractChange(of(before), of(after)).bump).toBe(bump);
  });
});

describe('updateLens', () => {
  const change = (lensId: string, more: Omit<LensChange, 'lensId'>) => updateLens(fixture.owner, { lensId, ...more });

  it('creates a version for each change of the template, numbered by the change of parameters', async () => {
    const { owner } = fixture;
    const { lens, version: first } = await createLens(owner, { title: 'x', templateBody: 'a [[Name]]' });
    const patch = await change(lens.id, { templateBody: 'b [[NAME]]' });
    const minor = await change(lens.id, { templateBody: 'b [[Name]] [[Tone!]]', changelog: 'With a tone' });
    const major = await change(lens.id, { templateBody: 'b [[Tone]]' });
    expect([patch, minor, major].map(({ semver, changelog }) => [semver, changelog])).toEqual([
      ['1.0.1', 'Text changed'],
      ['1.1.0', 'With a tone'],
      ['2.0.0', 'Parameters: removed Name; Tone is required now'],
    ]);
    expect(patch.params).toEqual([{ ...first.params[0], label: 'NAME' }]);
    expect(minor.params[0]?.id).toBe(first.params[0]?.id);
    expect(major.params).toEqual([{ ...minor.params[1], optional: false }]);
    expect(await getLens(owner, lens.id)).toMatchObject({
      templateBody: 'b [[Tone]]',
      headVersion: { id: major.id, semver: '2.0.0' },
    });
    const { versions, total } = await listLensVersions(owner, { lensId: lens.id });
    expect([total, versions.map(({ semver }) => semver)]).toEqual([4, ['2.0.0', '1.1.0', '1.0.1', '1.0.0']]);
    expect((await getLensVersion(owner, { lensId: lens.id, semver: '1.0.0' })).templateBody).toBe('a [[Name]]');
  });

  it('returns the head version when the template stays the same', async () => {
    const lens = await aLens(fixture.owner, { title: 'Before', tags: ['a'] });
    const head = await change(lens.id, {});
    expect(head).toMatchObject({ id: lens.headVersionId, semver: '1.0.0' });
    const before = await getLens(fixture.owner, lens.id);
    expect(before.updatedAt).toBe(lens.updatedAt.toISOString());
    const same = await change(lens.id, { title: 'After', description: 'd', tags: ['B ', 'b'], visibility: 'private' });
    expect(same.id).toBe(head.id);
    expect(await getLens(fixture.owner, lens.id)).toMatchObject({
      title: 'After',
      description: 'd',
      tags: ['b'],
      visibility: 'private',
      headVersion: { semver: '1.0.0' },
    });
  });

  it('publishes an event for each version of a published lens and none for a draft', async () => {
    const { owner, takeEvents } = fixture;
    await takeEvents();
    const published = await aLens(owner);
    const draft = await aLens(owner, { status: 'draft' });
    for (const { id } of [published, draft]) {
      await change(id, { templateBody: 'other [[Name]]' });
      await change(id, { title: 'no version' });
    }
    expect(await takeEvents()).toEqual([
      { lensId: published.id, version: '1.0.0' },
      { lensId: published.id, version: '2.0.0' },
    ]);
  });

  it('creates a version for each of many concurrent changes', async () => {
    const lens = await aLens(fixture.owner);
    const texts = Array.from({ length: 12 }, (_, n) => `text ${n} [[Name]] [[Tone!]]`);
    const made = await Promise.all(texts.map((templateBody) => change(lens.id, { templateBody })));
    expect(new Set(made.map(({ semver }) => semver)).size).toBe(12);
    const { versions } = await listLensVersions(fixture.owner, { lensId: lens.id });
    expect(versions).toHaveLength(13);
    const { headVersion } = await getLens(fixture.owner, lens.id);
    expect(headVersion).toEqual({ id: versions[0]?.id, semver: '1.0.12' });
  });

  it('refuses parameters that differ from the template, and invalid tags', async () => {
    const { owner } = fixture;
    const templateBody = '[[Name]] [[Tone!]]';
    const wrong: ParamRequest[][] = [
      [],
      [{ label: 'Name', optional: false }],
      [
        { label: 'name', optional: true },
        { label: 'tone', optional: true },
      ],
      [
        { label: 'Name', optional: false },
        { label: 'Tone', optional: true },
        { label: 'Age', optional: true },
      ],
      [
        { label: 'Name', optional: false },
        { label: 'NAME', optional: false },
        { label: 'Tone', optional: true },
      ],
    ];
    const lens = await aLens(owner, { templateBody });
    for (const params of wrong) {
      for (const call of [createLens(owner, { title: 'x', templateBody, params }), change(lens.id, { params })]) {
        const { code, message, details } = await refusal(call);
        expect({ code, message }).toEqual({ code: 'BAD_INPUT', message: expect.stringMatching(/^params:? /) });
        for (const issue of (details as { issues: { path: string }[] }).issues)
          expect(issue).toMatchObject({ path: 'params' });
      }
    }
    const right = [
      { label: ' TONE', optional: true },
      { label: 'name', optional: false },
    ];
    expect((await createLens(owner, { title: 'x', templateBody, params: right })).version.params).toMatchObject([
      { label: 'Name' },
      { label: 'Tone' },
    ]);
    for (const tags of [[''], ['-x'], ['x'.repeat(51)], ['a\nb'], Array.from({ length: 21 }, (_, n) => `t${n}`)]) {
      expect(await refusal(change(lens.id, { tags }))).toMatchObject({ code: 'BAD_INPUT' });
    }
    expect((await change(lens.id, { tags: ['x'.repeat(50), 'größe 名前'] })).semver).toBe('1.0.0');
  });

  it('refuses other accounts: FORBIDDEN for a visible lens, NOT_FOUND for a hidden one', async () => {
    const { owner, stranger, anonymous, platform } = fixture;
    const [open, hidden] = [await aLens(owner), await aLens(owner, { visibility: 'private' })];
    const missing = newId();
    const calls = [
      (ctx: typeof owner, lensId: string) => updateLens(ctx, { lensId, title: 'mine' }),
      (ctx: typeof owner, lensId: string) => setLensVisibility(ctx, { lensId, visibility: 'private' }),
    ];
    for (const call of calls) {
      for (const ctx of [stranger, anonymous]) {
        expect(await refusal(call(ctx, open.id))).toMatchObject({ code: 'FORBIDDEN' });
        const [a, b] = [await refusal(call(ctx, hidden.id)), await refusal(call(ctx, missing))];
        expect(a).toMatchObject({ code: 'NOT_FOUND' });
        expect(a.message.replaceAll(hidden.id, '')).toBe(b.message.replaceAll(missing, ''));
      }
    }
    expect((await updateLens(platform, { lensId: hidden.id, title: 'theirs' })).lensId).toBe(hidden.id);
    expect(await getLens(owner, hidden.id)).toMatchObject({ title: 'theirs', author: { id: owner.actor.accountId } });
    expect(await setLensVisibility(owner, { lensId: open.id, visibility: 'community' })).toEqual({
      lensId: open.id,
      visibility: 'community',
    });
    expect(await refusal(getLens(anonymous, open.id))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leaves an archived lens archived and publishes no event', async () => {
    const lens = await aLens(fixture.owner);
    await fixture.takeEvents();
    await archiveLens(fixture.owner, lens.id);
    await change(lens.id, { templateBody: 'other [[Name]]' });
    expect(await fixture.takeEvents()).toEqual([]);
    expect(await getLens(fixture.owner, lens.id)).toMatchObject({ status: 'archived' });
    await restoreLens(fixture.owner, lens.id);
    expect(await fixture.takeEvents()).toEqual([{ lensId: lens.id, version: '2.0.0' }]);
  });
});

describe('getLensVersion', () => {
  it('finds a version by id, number or label, and none of another lens', async () => {
    const { owner, stranger } = fixture;
    const lens = await aLens(owner);
    const other = await aLens(owner);
    const lensId = lens.id;
    const byId = await getLensVersion(owner, { lensId, versionId: lens.headVersionId.toUpperCase() });
    expect(byId).toMatchObject({
      lensId,
      semver: '1.0.0',
      changelog: '',
      params: [{ label: 'Name' }, { label: 'Tone' }],
    });
    expect(await getLensVersion(stranger, { lensId, versionId: byId.id, semver: '1.0.0' })).toEqual(byId);
    expect(await refusal(getLensVersion(owner, { lensId }))).toMatchObject({ code: 'BAD_INPUT' });
    const absent = [
      { versionId: other.headVersionId },
      { versionId: newId() },
      { semver: '1.0.1' },
      { semver: 'v1.0.0' },
      { semver: '' },
      { versionId: byId.id, semver: '2.0.0' },
      { version: 'production' },
    ];
    for (const choice of absent) {
      expect(await refusal(getLensVersion(owner, { lensId, ...choice }))).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await refusal(extractLensParams(owner, { lensId, version: other.headVersionId }))).toMatchObject({
      code: 'NOT_FOUND',
    });
    const hidden = await aLens(owner, { visibility: 'private' });
    for (const read of [
      getLensVersion(stranger, { lensId: hidden.id, versionId: hidden.headVersionId }),
      listLensVersions(stranger, { lensId: hidden.id }),
    ]) {
      expect(await refusal(read)).toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
