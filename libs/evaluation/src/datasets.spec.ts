import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DatasetCaseInput, maxCaseLength } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { saveLensCase } from '@lensforge/lenses';
import { aLens } from '@lensforge/lenses/testing';
import fc from 'fast-check';
import {
  addCasesFromRuns,
  changeCases,
  createDataset,
  diffRevisions,
  everyCase,
  listCases,
  listDatasets,
  listRevisions,
  readDataset,
  removeDataset,
  updateDataset,
} from './index.js';

let database: TestDatabase;
let ctx: Context;
let stranger: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  const anyone = async () => actingAs(database.ctx, (await anAccount(database.ctx)).id);
  [ctx, stranger] = [await anyone(), await anyone()];
});
afterAll(() => database.close());

let count = 0;
const aDataset = async (): Promise<string> => (await createDataset(ctx, { name: `Dataset ${(count += 1)}` })).id;
const aCase = (key: string, more: Partial<DatasetCaseInput> = {}): DatasetCaseInput => ({
  key,
  params: { Topic: key },
  ...more,
});
const keysOf = async (datasetId: string, revision?: number): Promise<string[]> =>
  (await listCases(ctx, { datasetId, revision }, { limit: 100 })).items.map(({ key }) => key);

describe('a dataset', () => {
  it('is created, listed, changed and deleted by its account alone', async () => {
    const made = await createDataset(ctx, { name: 'Support', description: 'Questions of customers' });
    expect(made).toMatchObject({ name: 'Support', description: 'Questions of customers', revision: 0, cases: 0 });
    expect(await readDataset(ctx, made.id)).toEqual(made);
    expect((await listDatasets(ctx, { q: 'UPP', limit: 10 })).items).toEqual([made]);
    expect((await listDatasets(stranger, { limit: 10 })).items).toEqual([]);
    const missing = { code: 'NOT_FOUND' };
    await expect(readDataset(stranger, made.id)).rejects.toMatchObject(missing);
    await expect(changeCases(stranger, { datasetId: made.id, save: [aCase('a')] })).rejects.toMatchObject(missing);
    await expect(removeDataset(stranger, made.id)).rejects.toMatchObject(missing);
    await changeCases(ctx, { datasetId: made.id, save: [aCase('a')] });
    expect(await updateDataset(ctx, { datasetId: made.id, name: 'Help' })).toMatchObject({ name: 'Help', revision: 1 });
    expect(await removeDataset(ctx, made.id)).toEqual({ datasetId: made.id, removed: true });
    await expect(readDataset(ctx, made.id)).rejects.toMatchObject(missing);
    const [left] = await database.source.query<[{ rows: number }]>(
      'select count(*)::int as rows from dataset_cases where dataset_id = $1',
      [made.id],
    );
    expect(left.rows).toBe(0);
  });

  it('has a name that no other one of its account has', async () => {
    await createDataset(ctx, { name: 'Once' });
    const conflict = { code: 'CONFLICT', message: expect.stringContaining('Once') };
    await expect(createDataset(ctx, { name: 'Once' })).rejects.toMatchObject(conflict);
    await expect(updateDataset(ctx, { datasetId: await aDataset(), name: 'Once' })).rejects.toMatchObject(conflict);
    expect(await createDataset(stranger, { name: 'Once' })).toMatchObject({ name: 'Once' });
  });

  it('is listed in pages, the newest first', async () => {
    const other = actingAs(database.ctx, (await anAccount(database.ctx)).id);
    for (const name of ['a', 'b', 'c']) await createDataset(other, { name });
    const first = await listDatasets(other, { limit: 2 });
    expect(first.items.map(({ name }) => name)).toEqual(['c', 'b']);
    const rest = await listDatasets(other, { limit: 2, cursor: first.nextCursor });
    expect([rest.items.map(({ name }) => name), rest.nextCursor]).toEqual([['a'], undefined]);
  });

  it('can begin with the saved cases of a lens of the caller', async () => {
    const { id: lensId } = await aLens(ctx);
    await saveLensCase(ctx, lensId, { name: 'Ada', params: { Name: 'Ada' }, reference: 'Hello Ada' });
    await saveLensCase(ctx, lensId, { name: 'Bob', params: { Name: 'Bob' }, reference: null });
    const { id, cases } = await createDataset(ctx, { name: 'Of a lens', casesOfLens: lensId });
    expect(cases).toBe(2);
    expect((await listCases(ctx, { datasetId: id }, { limit: 10 })).items).toMatchObject([
      { key: 'Ada', params: { Name: 'Ada' }, expected: 'Hello Ada' },
      { key: 'Bob', expected: null },
    ]);
    await expect(createDataset(stranger, { name: 'Mine', casesOfLens: lensId })).rejects.toMatchObject({
      code: expect.stringMatching(/FORBIDDEN|NOT_FOUND/),
    });
    expect((await listDatasets(stranger, { q: 'Mine', limit: 1 })).items).toEqual([]);
  });
});

describe('a change of cases', () => {
  it('is one new revision, and earlier ones stay as they were', async () => {
    const datasetId = await aDataset();
    expect(await changeCases(ctx, { datasetId, save: [aCase('b'), aCase('a'), aCase('Z')] })).toEqual({
      revision: 1,
      added: 3,
      changed: 0,
      removed: 0,
      cases: 3,
    });
    const change = {
      datasetId,
      save: [aCase('a', { expected: [1] }), aCase('c')],
      remove: ['b', 'none'],
      message: 'Two',
    };
    expect(await changeCases(ctx, change)).toEqual({ revision: 2, added: 1, changed: 1, removed: 1, cases: 3 });
    expect([await keysOf(datasetId, 1), await keysOf(datasetId)]).toEqual([
      ['Z', 'a', 'b'],
      ['Z', 'a', 'c'],
    ]);
    expect((await listCases(ctx, { datasetId, revision: 1 }, { limit: 10 })).items[1]).toMatchObject({
      expected: null,
    });
    expect((await listRevisions(ctx, datasetId, { limit: 10 })).items).toMatchObject([
      { revision: 2, added: 1, changed: 1, removed: 1, cases: 3, message: 'Two' },
      { revision: 1, added: 3, message: null },
    ]);
    expect(await readDataset(ctx, datasetId)).toMatchObject({ revision: 2, cases: 3 });
    await expect(listCases(ctx, { datasetId, revision: 3 }, { limit: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that changes nothing makes no revision', async () => {
    const datasetId = await aDataset();
    const save = [aCase('a', { expected: { b: 1, a: [null] }, metadata: { x: 1 }, tags: ['t', 't'] })];
    await changeCases(ctx, { datasetId, save });
    expect(await changeCases(ctx, { datasetId, save, remove: ['none'] })).toEqual({
      revision: 1,
      added: 0,
      changed: 0,
      removed: 0,
      cases: 1,
    });
  });

  it('can replace all cases, and is refused from an older revision', async () => {
    const datasetId = await aDataset();
    await changeCases(ctx, { datasetId, save: [aCase('a'), aCase('b')], baseRevision: 0 });
    const stale = changeCases(ctx, { datasetId, save: [aCase('c')], baseRevision: 0 });
    await expect(stale).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('revision 1') });
    expect(await changeCases(ctx, { datasetId, save: [aCase('b')], replace: true })).toMatchObject({
      removed: 1,
      cases: 1,
    });
    expect(await changeCases(ctx, { datasetId, replace: true })).toMatchObject({ removed: 1, cases: 0 });
  });

  it('makes one revision each when many arrive at once', async () => {
    const datasetId = await aDataset();
    const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
    const changes = await Promise.all(keys.map((key) => changeCases(ctx, { datasetId, save: [aCase(key)] })));
    expect(changes.map(({ revision }) => revision).sort((a, b) => a - b)).toEqual(keys.map((_, n) => n + 1));
    expect(await readDataset(ctx, datasetId)).toMatchObject({ revision: 20, cases: 20 });
  });

  it.each<[string, Partial<Parameters<typeof changeCases>[1]>, string]>([
    ['two cases with a key', { save: [aCase('a'), aCase('a')] }, 'save.1.key: there are two cases a'],
    ['a case that is saved and removed', { save: [aCase('a')], remove: ['a'] }, 'remove.0'],
    ['a long case', { save: [aCase('a', { params: { x: 'x'.repeat(maxCaseLength) } })] }, 'save.0: has'],
  ])('is refused with %s', async (_, change, message) => {
    await expect(changeCases(ctx, { datasetId: await aDataset(), ...change })).rejects.toThrow(message.split(': ')[0]);
  });

  it('gives the cases that a plain list of changes gives, revision by revision', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'é');
    const step = fc.record({
      save: fc.uniqueArray(key),
      remove: fc.uniqueArray(key),
      value: fc.integer({ min: 0, max: 2 }),
    });
    for (const steps of fc.sample(fc.array(step, { minLength: 1, maxLength: 8 }), { numRuns: 25, seed: 1 })) {
      const datasetId = await aDataset();
      const expected: Map<string, number>[] = [new Map()];
      for (const { save, remove, value } of steps) {
        const removed = remove.filter((each) => !save.includes(each));
        const cases = save.map((each) => aCase(each, { expected: value }));
        const { revision } = await changeCases(ctx, { datasetId, save: cases, remove: removed });
        const next = new Map(expected.at(-1));
        for (const each of removed) next.delete(each);
        for (const each of save) next.set(each, value);
        if (revision === expected.length) expected.push(next);
        else expect([...next].sort()).toEqual([...(expected.at(-1) ?? [])].sort());
      }
      for (const [revision, cases] of expected.entries()) {
        if (revision === 0) continue;
        const { items } = await listCases(ctx, { datasetId, revision }, { limit: 100 });
        expect(items.map((each) => [each.key, each.expected])).toEqual(
          [...cases].sort(([one], [two]) => (one < two ? -1 : 1)),
        );
      }
      for (const [from, earlier] of expected.entries()) {
        const to = expected.length - 1;
        if (to === 0) continue;
        const later = expected[to] ?? new Map<string, number>();
        const { items } = await diffRevisions(ctx, { datasetId, from, to }, { limit: 100 });
        const differing = [...new Set([...earlier.keys(), ...later.keys()])].filter(
          (each) => earlier.get(each) !== later.get(each),
        );
        expect(items.map((each) => each.key)).toEqual(differing.sort((one, two) => (one < two ? -1 : 1)));
      }
    }
  });
});

describe('the list of cases', () => {
  it('has pages, parts of keys and tags', async () => {
    const datasetId = await aDataset();
    const save = Array.from({ length: 7 }, (_, n) => aCase(`Case ${n}`, { tags: n % 2 === 0 ? ['even'] : [] }));
    await changeCases(ctx, { datasetId, save });
    const first = await listCases(ctx, { datasetId }, { limit: 3 });
    const second = await listCases(ctx, { datasetId }, { limit: 3, cursor: first.nextCursor, offset: 1 });
    expect(second.items.map(({ key }) => key)).toEqual(['Case 4', 'Case 5', 'Case 6']);
    expect(second.nextCursor).toBeUndefined();
    expect((await listCases(ctx, { datasetId, tag: 'even' }, { limit: 9 })).items).toHaveLength(4);
    expect((await listCases(ctx, { datasetId, q: 'CASE 3' }, { limit: 9 })).items).toHaveLength(1);
    await expect(listCases(ctx, { datasetId }, { limit: 3, cursor: '!!' })).rejects.toThrow('cursor');
    const all = [];
    for await (const { key } of everyCase(ctx, { datasetId })) all.push(key);
    expect(all).toHaveLength(7);
  });
});

describe('the difference of revisions', () => {
  it('has what was added, changed and removed, and nothing that came back', async () => {
    const datasetId = await aDataset();
    await changeCases(ctx, { datasetId, save: ['same', 'gone', 'changed', 'back'].map((key) => aCase(key)) });
    await changeCases(ctx, { datasetId, save: [aCase('changed', { expected: 1 })], remove: ['gone', 'back'] });
    await changeCases(ctx, { datasetId, save: [aCase('new'), aCase('back')] });
    const { items } = await diffRevisions(ctx, { datasetId, from: 1 }, { limit: 10 });
    expect(items).toMatchObject([
      { key: 'changed', change: 'changed', before: { expected: null }, after: { expected: 1 } },
      { key: 'gone', change: 'removed', after: null },
      { key: 'new', change: 'added', before: null },
    ]);
    expect((await diffRevisions(ctx, { datasetId, from: 0, to: 1 }, { limit: 10 })).items).toHaveLength(4);
    expect((await diffRevisions(ctx, { datasetId }, { limit: 10 })).items.map(({ key }) => key)).toEqual([
      'back',
      'new',
    ]);
    await expect(diffRevisions(ctx, { datasetId, from: 2, to: 1 }, { limit: 1 })).rejects.toThrow('to');
  });
});

describe('cases from runs', () => {
  it('are refused for runs of others and unknown ones', async () => {
    const datasetId = await aDataset();
    const runIds = [datasetId];
    await expect(addCasesFromRuns(ctx, { datasetId, runIds })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
