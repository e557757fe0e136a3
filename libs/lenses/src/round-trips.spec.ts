import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type LensFixture, lensFixture } from '../test/lens-fixture.js';
import { deriveParams } from './contract.js';
import { type LensDocument, createLens, getLens, getLensVersion, importLens, updateLens } from './index.js';
import { toStoredSettings } from './lens-settings.js';
import { writeMessages } from './messages.js';
import { exportedLens } from './testing.js';

let fixture: LensFixture;
beforeAll(async () => {
  fixture = await lensFixture();
});
afterAll(() => fixture.close());

const label = fc.constantFrom('Name', 'Tone', 'Items', 'a b');
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  label.map((name) => `[[${name}]]`),
  label.map((name) => `[[#${name}]]x[[/${name}]]`),
  fc.constantFrom('\n', '\r\n', '\\[[', '---', '\u2028', '"', '\\'),
);
const text = fc
  .array(piece, { minLength: 1, maxLength: 8 })
  .map((pieces) => `Text: ${pieces.join('')}`)
  .filter((written) => !/^\[\[@/m.test(written));
const body = fc.oneof(
  text,
  fc.tuple(text, text, text).map(([system, earlier, last]) =>
    writeMessages([
      { role: 'system', text: system },
      { role: 'user', text: earlier },
      { role: 'assistant', text: '[[history]]' },
      {
        role: 'user',
        text: last,
        parts: [{ image: { mediaType: 'image/png', url: 'https://example.com/a.png' } }],
      },
    ]),
  ),
);
const schema = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constantFrom('string', 'boolean', 'number'), description: fc.string() }, { requiredKeys: [] }),
    fc.record({
      properties: fc.dictionary(fc.string({ minLength: 1 }), tie('schema'), { maxKeys: 4, noNullPrototype: true }),
      type: fc.constant('object'),
      additionalProperties: fc.boolean(),
    }),
  ),
})).schema;
const settings = fc.record(
  {
    outputSchema: schema as fc.Arbitrary<Record<string, unknown>>,
    sampling: fc.record({
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      stop: fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 4 }),
      seed: fc.nat(),
    }),
    models: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
    providers: fc.record({ openai: fc.record({ textVerbosity: fc.constantFrom('low' as const, 'high' as const) }) }),
    tools: fc.uniqueArray(
      fc.record(
        {
          name: fc.stringMatching(/^[\w-]{1,64}$/),
          description: fc.string({ unit: 'grapheme' }),
          inputSchema: schema.map((of) => ({ ...of, type: 'object' })) as fc.Arbitrary<Record<string, unknown>>,
        },
        { requiredKeys: ['name', 'inputSchema'] },
      ),
      { minLength: 1, maxLength: 3, selector: ({ name }) => name },
    ),
    mayOverride: fc.uniqueArray(fc.constantFrom('model' as const, 'sampling' as const), { minLength: 1 }),
  },
  { requiredKeys: [] },
);

describe('a version', () => {
  it('is the same after export and import, 2,000 times', async () => {
    for (const seed of [1, 2]) {
      const generated = fc.sample(fc.tuple(body, fc.option(settings)), { numRuns: 1000, seed });
      const versions = generated.map(([templateBody, given], at) => ({
        semver: `1.0.${at}`,
        templateBody,
        settings: toStoredSettings(given, templateBody),
        changelog: '',
        createdAt: '2026-11-27T12:00:00.000Z',
        params: deriveParams(templateBody).map(({ label, optional }) => ({ label, optional })),
      }));
      const document: LensDocument = {
        format: 'lensforge.lens',
        formatVersion: 1,
        title: 'Generated',
        description: '',
        visibility: 'private',
        status: 'published',
        tags: [],
        versions,
        labels: [],
      };
      const { lensId } = await importLens(fixture.owner, document);
      const exported = await exportedLens(fixture.owner, lensId);
      const contents = ({ versions: of }: LensDocument): string[] =>
        of.map(({ templateBody, settings: given, params }) => JSON.stringify([templateBody, given, params]));
      expect(contents(exported)).toEqual(contents(document));
    }
  });

  it('is the same after it was saved and read', async () => {
    const { owner } = fixture;
    const known = settings.map(({ models: _, ...others }) => others);
    const { lens } = await createLens(owner, { title: 'x', templateBody: 'begin' });
    for (const [templateBody, given] of fc.sample(fc.tuple(body, known), { numRuns: 100, seed: 3 })) {
      const stored = JSON.stringify(toStoredSettings(given, templateBody));
      const saved = await updateLens(owner, { lensId: lens.id, templateBody, settings: given });
      for (const read of [
        saved,
        await getLens(owner, lens.id),
        await getLensVersion(owner, { lensId: lens.id, versionId: saved.id }),
      ]) {
        expect([read.templateBody, JSON.stringify(read.settings)]).toEqual([templateBody, stored]);
        if (read.messages) expect(writeMessages(read.messages)).toBe(templateBody);
      }
    }
  });
});
