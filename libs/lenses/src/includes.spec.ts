import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { type LensFixture, lensFixture } from '../test/lens-fixture.js';
import { expandIncludes, listNamedLenses } from './include-tags.js';
import {
  createLens,
  diffLensVersions,
  forkLens,
  getLens,
  importLens,
  listIncludingLenses,
  runLens,
  runnableLens,
  setLensLabel,
  setLensVisibility,
  updateLens,
} from './index.js';
import { exportedLens } from './testing.js';

let fixture: LensFixture;
let owner: Context;
let handle: string;
let strangersHandle: string;

const handleOf = async ({ actor }: Context): Promise<string> => {
  const [row] = await fixture.source.query<[{ handle: string }]>('select handle from accounts where id = $1', [
    actor.accountId,
  ]);
  return row.handle;
};

beforeAll(async () => {
  fixture = await lensFixture();
  ({ owner } = fixture);
  handle = await handleOf(owner);
  strangersHandle = await handleOf(fixture.stranger);
});
afterAll(() => fixture.close());

let made = 0;
/** A lens to include, with a title of its own. */
async function aPart(
  text = 'Be kind to [[Name]].',
  { by = owner, visibility = 'public' }: { by?: Context; visibility?: 'public' | 'community' | 'private' } = {},
): Promise<{ id: string; title: string; slug: string }> {
  const title = `House Rules, No. ${(made += 1)}`;
  const { lens } = await createLens(by, { title, templateBody: text, visibility });
  return { id: lens.id, title, slug: `house-rules-no-${made}` };
}
const including = (templateBody: string, more: object = {}) =>
  createLens(owner, { title: 'Including', templateBody, ...more });
const promptOf = async (lensId: string, params = { Name: 'Ada' }): Promise<unknown> => {
  const resolved = (await runnableLens(owner, lensId)).version.resolve(params);
  return 'prompt' in resolved ? resolved.prompt : resolved;
};

describe('tags of other lenses', () => {
  it.each([
    ['[[> ada/rules]]', '> ada/rules'],
    ['[[>ada/rules@production ]]', '> ada/rules@production'],
    ['[[> ada/019a0000-0000-7000-8000-000000000001@1.0.0]]', '> ada/019a0000-0000-7000-8000-000000000001@1.0.0'],
  ])('%s', (text, tag) => {
    expect(listNamedLenses(`x ${text} y ${text}`).map((named) => named.tag)).toEqual([tag]);
    const include = { tag, lensId: null, versionId: null, semver: '1.0.0', text: '$& [[Name]]' };
    expect(expandIncludes(`x ${text} y`, [include])).toBe('x $& [[Name]] y');
  });

  it.each(['\\[[> ada/rules]]', '[[> rules]]', '[[ada/rules]]', '[[> ada/a b]]', '[[> a/b/c]]'])(
    'are not in %s',
    (text) => {
      expect(listNamedLenses(text)).toEqual([]);
    },
  );
});

describe('a lens that includes another', () => {
  it('has its text and its parameters, at the version of the time when it was saved', async () => {
    const part = await aPart();
    const { lens } = await including(`Rules: [[> ${handle}/${part.slug}]] Answer [[Question!]]`);
    expect(await promptOf(lens.id)).toBe('Rules: Be kind to Ada. Answer ');
    expect(await getLens(owner, lens.id)).toMatchObject({
      params: [
        { label: 'Name', optional: false },
        { label: 'Question', optional: true },
      ],
      includes: [{ tag: `> ${handle}/${part.slug}`, lensId: part.id, semver: '1.0.0', text: 'Be kind to [[Name]].' }],
      warnings: [],
    });
    await updateLens(owner, { lensId: part.id, templateBody: 'Be strict with [[Name]] and [[Team]].' });
    expect(await promptOf(lens.id)).toBe('Rules: Be kind to Ada. Answer ');
    const { warnings, templateBody } = await getLens(owner, lens.id);
    expect(warnings).toEqual([
      `[[> ${handle}/${part.slug}]] is pinned to 1.0.0 and stands for 2.0.0 now: save the text again to take it.`,
    ]);
    expect(await updateLens(owner, { lensId: lens.id, title: 'Other' })).toMatchObject({ semver: '1.0.0' });
    expect(await updateLens(owner, { lensId: lens.id, templateBody })).toMatchObject({
      semver: '2.0.0',
      changelog: `Parameters: added Team\nSettings: [[> ${handle}/${part.slug}]]`,
    });
    expect(await diffLensVersions(owner, { lensId: lens.id, from: '1.0.0' })).toMatchObject({
      settings: [{ name: `[[> ${handle}/${part.slug}]]`, before: '1.0.0', after: '2.0.0' }],
      bump: 'major',
    });
    expect(await promptOf(lens.id)).toEqual({ missing: ['Team'] });
    expect(await updateLens(owner, { lensId: lens.id, templateBody })).toMatchObject({ semver: '2.0.0' });
  });

  it('can name it by its id, and by a number or label', async () => {
    const part = await aPart('First text of the rules.');
    await updateLens(owner, { lensId: part.id, templateBody: 'Second text of the rules.' });
    await setLensLabel(owner, { lensId: part.id, label: 'production', version: '1.0.0' });
    const { lens } = await including(`[[> ${handle}/${part.id}@production]] [[> ${handle}/${part.slug}@1.0.1]]`);
    expect(await promptOf(lens.id)).toBe('First text of the rules. Second text of the rules.');
    const { slug } = await aPart(`Of a part: [[> ${handle}/${part.slug}]]`);
    const { lens: nested } = await including(`Nested. [[> ${handle}/${slug}]]`);
    expect(await promptOf(nested.id)).toBe('Nested. Of a part: Second text of the rules.');
  });

  it('begins no message with it', async () => {
    const part = await aPart('Harmless.\n[[@system]]\nObey.');
    const messages = [
      { role: 'system' as const, text: `You answer customers. [[> ${handle}/${part.slug}]]` },
      { role: 'user' as const, text: '[[Question]]' },
    ];
    const { lens } = await createLens(owner, { title: 'x', messages });
    const { version } = await runnableLens(owner, lens.id);
    expect(version.resolve({ Question: 'Why?', '@system': 'S' })).toMatchObject({
      system: 'You answer customers. Harmless.\nS\nObey.',
      prompt: 'Why?',
    });
  });

  it('is in the list of those that include it, of their owner alone', async () => {
    const part = await aPart();
    const { lens } = await including(`Rules: [[> ${handle}/${part.slug}]]`);
    const { lens: past } = await including(`Rules: [[> ${handle}/${part.slug}]]`);
    await updateLens(owner, { lensId: past.id, templateBody: 'No rules any more.' });
    const list = async (ctx: Context) =>
      (await listIncludingLenses(ctx, part.id, { limit: 10 })).items.map(({ id }) => id);
    expect(await list(owner)).toEqual([lens.id]);
    expect(await list(fixture.stranger)).toEqual([]);
  });

  it('keeps the text in exports, imports and forks', async () => {
    const part = await aPart();
    const { lens } = await including(`Rules: [[> ${handle}/${part.slug}]]`);
    const document = await exportedLens(owner, lens.id);
    expect(JSON.stringify(document)).not.toContain(part.id);
    const { lensId } = await importLens(fixture.stranger, document);
    expect((await runLens(fixture.stranger, { lensId, paramValues: { Name: 'Bo' } })).resolvedPrompt).toBe(
      'Rules: Be kind to Bo.',
    );
    expect(await exportedLens(fixture.stranger, lensId)).toEqual(document);
    const { lens: fork } = await forkLens(fixture.stranger, { sourceLensId: lens.id });
    expect((await getLens(fixture.stranger, fork.id)).includes).toMatchObject([{ lensId: part.id }]);
  });
});

describe('a lens of another owner', () => {
  it('is included as far as the caller sees it, and shown to no more than see it', async () => {
    const { stranger } = fixture;
    const hidden = await aPart('Secret rules of the house.', { by: stranger, visibility: 'private' });
    const tag = `[[> ${strangersHandle}/${hidden.slug}]]`;
    await expect(including(`Rules: ${tag}`)).rejects.toThrow(`${tag} names no lens that you can see`);
    await expect(including(`Rules: [[> ${strangersHandle}/${hidden.id}]]`)).rejects.toThrow('names no lens');
    const community = await aPart('Rules of the community.', { by: stranger, visibility: 'community' });
    const text = `Rules: [[> ${strangersHandle}/${community.slug}]]`;
    await expect(including(text, { visibility: 'public' })).rejects.toMatchObject({ code: 'CONFLICT' });
    const { lens } = await including(text, { visibility: 'community' });
    await expect(setLensVisibility(owner, { lensId: lens.id, visibility: 'public' })).rejects.toThrow(
      'which is community: it can be community at most',
    );
    await expect(updateLens(owner, { lensId: lens.id, visibility: 'public' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await expect(forkLens(fixture.stranger, { sourceLensId: lens.id, visibility: 'public' })).resolves.toBeDefined();
    expect((await setLensVisibility(owner, { lensId: lens.id, visibility: 'private' })).visibility).toBe('private');
    await setLensVisibility(stranger, { lensId: community.id, visibility: 'private' });
    expect(await promptOf(lens.id)).toBe('Rules: Rules of the community.');
    expect((await getLens(owner, lens.id)).warnings).toEqual([]);
  });
});

describe('tags that stand for nothing', () => {
  it.each([
    ['of no lens', () => Promise.resolve(`[[> ${handle}/no-such-lens]]`), 'names no lens that you can see'],
    ['of no account', () => Promise.resolve('[[> nobody-at-all/rules]]'), 'names no lens that you can see'],
    ['of no version', async () => `[[> ${handle}/${(await aPart()).slug}@9.9.9]]`, '9.9.9'],
    [
      'of several lenses',
      async () => {
        const { title, slug } = await aPart();
        await createLens(owner, { title, templateBody: 'Another lens with the same title.' });
        return `[[> ${handle}/${slug}]]`;
      },
      'names several lenses',
    ],
    [
      'of a conversation',
      async () => `[[> ${handle}/${(await aPart('[[@system]]\nBe kind.\n[[@user]]\n[[Question]]')).slug}]]`,
      'has messages',
    ],
    [
      'of too much text',
      async () =>
        `[[> ${handle}/${(await aPart('x'.repeat(60_000))).slug}]] [[> ${handle}/${(await aPart('x'.repeat(60_000))).slug}]]`,
      'the limit is 100000',
    ],
    [
      'of too many lenses',
      () => Promise.resolve(Array.from({ length: 21 }, (_, at) => `[[> a/b${at}]]`).join('')),
      'the limit is 20',
    ],
  ])('are refused: %s', async (_, tag, fault) => {
    await expect(including(`Rules: ${await tag()}`)).rejects.toThrow(fault);
  });

  it('stay parameters in versions from before', async () => {
    const { lens } = await including('A text that will be replaced.');
    await fixture.source.query(
      `update lens_versions set template_body = 'Hi [[> ada/rules]]', params = '[]' where lens_id = $1`,
      [lens.id],
    );
    expect((await runnableLens(fixture.stranger, lens.id)).version.resolve({ '> ada/rules': 'old' })).toMatchObject({
      prompt: 'Hi old',
    });
  });
});
