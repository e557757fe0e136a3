import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FreshDatabase, aContext, freshDatabase } from '@lensforge/testing';
import { DataSource } from 'typeorm';
import { inTransaction, openDatabase, perDatabase } from './index.js';

let database: FreshDatabase;
let sources: [DataSource, DataSource];

beforeAll(async () => {
  database = await freshDatabase({ empty: true });
  const open = () => openDatabase({ url: database.url, applicationName: 'per-database.spec' });
  sources = [await open(), await open()];
});
afterAll(async () => {
  await Promise.all(sources.map((source) => source.destroy()));
  await database.drop();
});

describe('perDatabase', () => {
  it('makes one object for each database, and finds it within transactions too', async () => {
    const notes = perDatabase(() => new Set<string>());
    const [one, other] = [aContext(sources[0].manager), aContext(sources[1].manager)];
    notes.of(one).add('a');
    await inTransaction(one, async (ctx) => notes.of(ctx).add('b'));
    expect([[...notes.of(one)], [...notes.of(other)]]).toEqual([['a', 'b'], []]);
  });

  it('replaces the object of a database at boot', () => {
    const limit = perDatabase(() => 50);
    limit.set(sources[0], 10);
    expect(sources.map(({ manager }) => limit.of({ db: manager }))).toEqual([10, 50]);
  });

  it('refuses a connection pool that openDatabase has not made', () => {
    const { manager } = new DataSource({ type: 'postgres' });
    expect(() => perDatabase(() => 1).of({ db: manager })).toThrow('open the database with openDatabase');
  });
});
