import { describe, expect, it } from '@jest/globals';
import type { DatasetCase, DatasetFormat } from '@lensforge/contracts';
import fc from 'fast-check';
import { readDatasetFile, writeDatasetFile } from './dataset-file.js';

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

async function write(format: DatasetFormat, cases: readonly DatasetCase[]): Promise<string> {
  let file = '';
  for await (const part of writeDatasetFile(format, iterate(cases)).parts) file += part;
  return file;
}

/** JSON without the member names that requests may not have. */
const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((each) => each.trim() !== '');
const name = fc.constantFrom('Name', 'Tone of voice', 'a:b', 'é');
const cases = (value: fc.Arbitrary<unknown>): fc.Arbitrary<DatasetCase[]> =>
  fc.uniqueArray(
    fc.record({
      key: text,
      params: fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true }),
      expected: fc.option(value),
      metadata: fc.option(fc.dictionary(name, value, { minKeys: 1, maxKeys: 2, noNullPrototype: true })),
      tags: fc.uniqueArray(fc.stringMatching(/^[a-z-]{1,8}$/), { maxLength: 3 }),
      assertions: fc.constantFrom([], [{ type: 'equals', value: 'a' }]),
      since: fc.constant(1),
    }),
    { selector: ({ key }) => key, maxLength: 8 },
  );
const contents = (of: readonly object[]) =>
  of.map((each) => ({ metadata: null, expected: null, tags: [], assertions: [], ...each, since: 1 }));

describe('a file of a dataset', () => {
  it.each<[DatasetFormat, fc.Arbitrary<unknown>]>([
    ['ndjson', json],
    ['json', json],
    ['promptfoo', json],
    // Numbers and flags of CSV come back as texts.
    [
      'csv',
      fc.oneof(fc.string(), fc.array(fc.integer()), fc.dictionary(name, fc.boolean(), { noNullPrototype: true })),
    ],
  ])('%s has the same cases after it was written and read', async (format, value) => {
    await fc.assert(
      fc.asyncProperty(cases(value), async (given) => {
        const plain = JSON.parse(JSON.stringify(given)) as DatasetCase[];
        expect(contents(readDatasetFile(format, await write(format, plain)))).toEqual(contents(plain));
      }),
      { numRuns: 200 },
    );
  });

  it('in CSV has a column for each name, and numbers rows without a key', () => {
    const csv =
      '\uFEFFparam:Topic,expected,tags,metadata:from\r\nthe sea,"{""ok"":true}",calm blue,a\r\n"rain, much",,,\r\n';
    expect(readDatasetFile('csv', csv)).toEqual([
      {
        key: '00001',
        params: { Topic: 'the sea' },
        expected: { ok: true },
        tags: ['calm', 'blue'],
        metadata: { from: 'a' },
      },
      { key: '00002', params: { Topic: 'rain, much' } },
    ]);
  });

  it.each<[string, DatasetFormat, string, string]>([
    ['an unknown column', 'csv', 'key,Topic\na,b\n', 'has an unknown column Topic: write param:Topic'],
    ['a test with a provider', 'promptfoo', '[{"vars":{},"provider":"x"}]', 'the member provider, which is not taken'],
    ['rows of another length', 'csv', 'key,param:A\na\n', 'is not valid CSV'],
    ['an open quotation mark', 'csv', 'key,param:A\na,"b\n', 'is not valid CSV'],
    ['a line that is no JSON', 'ndjson', '{"key":"a","params":{}}\nx\n', 'line 2 is not valid JSON'],
    ['a case without params', 'ndjson', '{"key":"a"}\n', 'case 1: params'],
    ['an unknown member', 'json', '[{"key":"a","params":{},"assert":[]}]', 'case 1: assert'],
    ['no list', 'json', '{}', 'must be a list'],
    ['a number', 'json', '[1]', 'case 1: params'],
  ])('is refused with %s', (_, format, content, message) => {
    expect(() => readDatasetFile(format, content)).toThrow(message);
  });
});
