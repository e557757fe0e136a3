import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import type { FreshDatabase } from '@lensforge/testing';
import { aContext, freshDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { identityEntities } from '../index.js';
import type { Count, Try } from './count-try.js';
import { releaseTry, countTry } from './count-try.js';

let database: FreshDatabase;
let source: DataSource;
let ctx: Context;

beforeAll(async () => {
  database = await freshDatabase();
  source = await openDatabase({ url: database.url, entities: identityEntities, applicationName: 'take-try.spec' });
  ctx = aContext(source.manager);
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const aTry = (more: Partial<Try> = {}): Try => ({ kind: 'sign_up', subject: newId(), network: '192.0.2.1', ...more });
const taken = (outcomes: ({ id: string } | { wait: number })[]) => outcomes.filter((each) => 'id' in each).length;

it('of a hundred at the same moment lets as many be made as are left', async () => {
  const [subject, network] = [newId(), newId()];
  const counts: Count[] = [
    { allowance: { most: 7, seconds: 60 }, kinds: ['sign_up'], subject },
    { allowance: { most: 50, seconds: 60 }, kinds: ['sign_up'], network },
  ];
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => countTry(ctx, aTry({ subject, network }), counts)),
  );
  expect(taken(outcomes)).toBe(7);
  for (const each of outcomes) if ('wait' in each) expect(each.wait).toBeLessThanOrEqual(60);
});

it('counts what goes by different names in whatever order they come, and what was given back not at all', async () => {
  const network = newId();
  const most = (subject: string): Count[] => [
    { allowance: { most: 20, seconds: 60 }, kinds: ['sign_up', 'reset'], network },
    { allowance: { most: 1, seconds: 60 }, kinds: ['sign_up'], subject },
  ];
  const subjects = Array.from({ length: 40 }, newId);
  const outcomes = await Promise.all(
    subjects.map((subject, at) =>
      countTry(ctx, aTry({ subject, network }), at % 2 === 0 ? most(subject) : most(subject).reverse()),
    ),
  );
  expect(taken(outcomes)).toBe(20);
  const [first] = outcomes.filter((each) => 'id' in each);
  await releaseTry(ctx, first!.id);
  const again = await Promise.all([1, 2, 3].map(() => countTry(ctx, aTry({ network }), most(newId()))));
  expect(taken(again)).toBe(1);
});
