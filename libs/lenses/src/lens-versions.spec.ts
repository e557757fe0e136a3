import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import fc from 'fast-check';
import { type LensFixture, lensFixture, refusal } from '../test/lens-fixture.js';
import { diffLines } from './diff-lines.js';
import {
  type LensDocument,
  atVersion,
  diffLensVersions,
  getLens,
  getLensVersion,
  importLens,
  listLensVersions,
  removeLensLabel,
  runnableLens,
  setLensLabel,
  updateLens,
} from './index.js';
import { aLens, exportedLens } from './testing.js';

let fixture: LensFixture;
beforeAll(async () => {
  fixture = await lensFixture();
});
afterAll(() => fixture.close());

/** A lens whose versions are 1.0.0 "one", 1.0.1 "two" and 2.0.0 "three" with another parameter. */
async function threeVersions() {
  const { owner } = fixture;
  const { id: lensId } = await aLens(owner, { templateBody: 'one [[Name]]\nsame' });
  await updateLens(owner, { lensId, templateBody: 'two [[Name]]\nsame' });
  await updateLens(owner, { lensId, templateBody: 'three [[Name!]]\nsame\n[[Age]]', changelog: 'Ages' });
  return lensId;
}

describe('setLensLabel', () => {
  it('points a label at a version, moves it, and lets it be removed', async () => {
    const { owner, stranger } = fixture;
    const lensId = await threeVersions();
    const set = (label: string, version: string) => setLensLabel(owner, { lensId, label, version });
    expect(await set('production', '1.0.0')).toMatchObject({ label: 'production', semver: '1.0.0' });
    await set('staging', '2.0.0');
    await set('my-own.1', 'staging');
    const textOf = async (version: string) => (await getLensVersion(stranger, { lensId, version })).templateBody;
    expect(await textOf('production')).toContain('one');
    const run = await atVersion(fixture.source.manager, await runnableLens(stranger, lensId), 'production');
    expect(run.version.templateBody).toContain('one');
    const moved = await set('production', '1.0.1');
    expect(await textOf('production')).toContain('two');
    expect((await getLens(stranger, lensId)).labels).toEqual([
      {
        label: 'my-own.1',
        versionId: expect.any(String),
        semver: '2.0.0',
        arms: null,
        bounds: null,
        returned: null,
        proposalId: null,
        protected: false,
        rules: null,
        updatedAt: expect.any(String),
      },
      moved,
      {
        label: 'staging',
        versionId: expect.any(String),
        semver: '2.0.0',
        arms: null,
        bounds: null,
        returned: null,
        proposalId: null,
        protected: false,
        rules: null,
        updatedAt: expect.any(String),
      },
    ]);
    expect(await removeLensLabel(owner, { lensId, label: 'staging' })).toEqual({
      lensId,
      label: 'staging',
      removed: true,
    });
    expect(await refusal(removeLensLabel(owner, { lensId, label: 'staging' }))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal(getLensVersion(owner, { lensId, version: 'staging' }))).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('refuses labels that look like a version, and versions that do not exist', async () => {
    const { owner } = fixture;
    const { id: lensId, headVersionId } = await aLens(owner);
    const other = await aLens(owner);
    for (const label of [
      '',
      'A',
      '1a',
      '1.0.0',
      'head',
      'latest',
      'a b',
      'é',
      `a${'b'.repeat(64)}`,
      'a/b',
      `a${newId().slice(1)}`,
    ]) {
      expect([label, await refusal(setLensLabel(owner, { lensId, label, version: '1.0.0' }))]).toMatchObject([
        label,
        { code: 'BAD_INPUT' },
      ]);
    }
    await setLensLabel(owner, { lensId, label: `a${'b'.repeat(63)}`, version: headVersionId });
    for (const version of ['9.9.9', newId(), other.headVersionId, 'nothing']) {
      expect(await refusal(setLensLabel(owner, { lensId, label: 'x', version }))).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('allows a hundred labels under concurrent calls', async () => {
    const { owner } = fixture;
    const { id: lensId } = await aLens(owner);
    const set = (label: string) => setLensLabel(owner, { lensId, label, version: '1.0.0' });
    const outcomes = await Promise.allSettled(Array.from({ length: 102 }, (_, n) => set(`l${n}`)));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    const [first] = (await getLens(owner, lensId)).labels;
    expect(await set(first?.label ?? '')).toMatchObject({ label: first?.label });
  });
});

describe('diffLensVersions', () => {
  it('lists changed lines and parameters', async () => {
    const lensId = await threeVersions();
    expect(await diffLensVersions(fixture.stranger, { lensId, from: '1.0.1' })).toEqual({
      lensId,
      from: { id: expect.any(String), semver: '1.0.1' },
      to: { id: expect.any(String), semver: '2.0.0' },
      params: {
        added: [{ label: 'Age', optional: false }],
        removed: [],
        changed: [{ label: 'Name', optional: true }],
      },
      settings: [],
      bump: 'major',
      lines: [
        { kind: 'removed', text: 'two [[Name]]' },
        { kind: 'added', text: 'three [[Name!]]' },
        { kind: 'same', text: 'same' },
        { kind: 'added', text: '[[Age]]' },
      ],
    });
    expect(await diffLensVersions(fixture.stranger, { lensId, from: '1.0.0', to: '1.0.1' })).toMatchObject({
      bump: 'patch',
    });
    expect(await diffLensVersions(fixture.stranger, { lensId, from: '2.0.0', to: '2.0.0' })).toMatchObject({
      bump: 'none',
    });
    expect(await refusal(diffLensVersions(fixture.stranger, { lensId, from: '3.0.0' }))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd e'), { maxLength: 25 }).map((lines) => lines.join('\n'));
  const side = (diff: ReturnType<typeof diffLines>, kind: string) =>
    diff
      .filter((line) => line.kind === 'same' || line.kind === kind)
      .map((line) => line.text)
      .join('\n');

  it('finds the shortest edit script of two texts', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = diffLines(before, after);
        expect([side(diff, 'removed'), side(diff, 'added')]).toEqual([before, after]);
        const common = longestCommon(before.split('\n'), after.split('\n'));
        expect(diff.filter(({ kind }) => kind === 'same')).toHaveLength(common);
      }),
    );
  });

  it('replaces long texts that have no line in common', () => {
    const [before, after] = [1, 2].map((side) => Array.from({ length: 30_000 }, (_, n) => `${side} ${n}`).join('\n'));
    const diff = diffLines(before ?? '', after ?? '');
    expect(diff).toHaveLength(60_000);
    expect([side(diff, 'removed'), side(diff, 'added')]).toEqual([before, after]);
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const one of a) {
    const next = [0];
    b.forEach((other, index) => {
      next.push(one === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe('importLens', () => {
  it('recreates an exported lens for another account', async () => {
    const { owner, stranger, takeEvents } = fixture;
    const lensId = await threeVersions();
    await updateLens(owner, { lensId, title: 'Moving', description: 'house', tags: ['box'] });
    await setLensLabel(owner, { lensId, label: 'production', version: '1.0.1' });
    const document = await exportedLens(stranger, lensId);
    expect(document).toMatchObject({
      format: 'lensforge.lens',
      formatVersion: 1,
      title: 'Moving',
      description: 'house',
      tags: ['box'],
      visibility: 'public',
      status: 'published',
      labels: [{ label: 'production', semver: '1.0.1' }],
    });
    expect(document.versions.map(({ semver, changelog }) => [semver, changelog])).toEqual([
      ['1.0.0', ''],
      ['1.0.1', 'Text changed'],
      ['2.0.0', 'Ages'],
    ]);
    expect(JSON.stringify(document)).not.toMatch(/"id"/);
    const copy = await importLens(stranger, JSON.parse(JSON.stringify(document)) as LensDocument);
    expect(copy.lensId).not.toBe(lensId);
    expect(await exportedLens(stranger, copy.lensId)).toEqual(document);
    const { versions } = await listLensVersions(stranger, { lensId: copy.lensId });
    expect(versions.map(({ semver }) => semver)).toEqual(['2.0.0', '1.0.1', '1.0.0']);
    const [first, last] = await Promise.all(
      ['1.0.0', '2.0.0'].map((semver) => getLensVersion(stranger, { lensId: copy.lensId, semver })),
    );
    expect(last?.params[0]?.id).toBe(first?.params[0]?.id);

    await takeEvents();
    const draft = await importLens(owner, { ...document, status: 'draft' });
    const archived = await importLens(owner, { ...document, status: 'archived' });
    expect(await takeEvents()).toEqual([]);
    expect(await getLens(owner, archived.lensId)).toMatchObject({ status: 'archived' });
    expect(await refusal(getLens(stranger, draft.lensId))).toMatchObject({ code: 'NOT_FOUND' });
    const third = await importLens(owner, document);
    expect(await takeEvents()).toEqual([{ lensId: third.lensId, version: '2.0.0' }]);
  });

  it('refuses an invalid document with the path of the fault and creates nothing', async () => {
    const { owner } = fixture;
    const good = await exportedLens(owner, await threeVersions());
    const [one, two, three] = good.versions as [LensDocument['versions'][0], ...LensDocument['versions']];
    const wrong: [Partial<LensDocument>, RegExp][] = [
      [{ versions: [] }, /^versions must hold 1 to 1000 versions/],
      [{ versions: Array.from({ length: 1001 }, () => one) }, /^versions must/],
      [{ versions: [one, one] }, /^versions\.1\.semver/],
      [{ versions: [two!, one] }, /^versions\.1\.semver/],
      [{ versions: [{ ...one, semver: 'v1' }] }, /^versions\.0\.semver/],
      [{ versions: [one, { ...three!, params: [] }] }, /^versions\.1\.params/],
      [{ labels: [{ label: 'x', semver: '7.0.0' }] }, /^labels/],
      [{ labels: [{ label: 'head', semver: '1.0.0' }] }, /^label/],
      [{ tags: [' '] }, /^tags/],
    ];
    const count = async () => (await fixture.source.query<[{ n: string }]>('select count(*) as n from lenses'))[0].n;
    const before = await count();
    for (const [part, message] of wrong) {
      expect(await refusal(importLens(owner, { ...good, ...part }))).toMatchObject({
        code: 'BAD_INPUT',
        message: expect.stringMatching(message),
      });
    }
    expect(await refusal(importLens(fixture.anonymous, good))).toMatchObject({ code: 'MISSING_LENSER' });
    expect(await count()).toBe(before);
  });
});
