import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { type Try, type TryLimit, countTry, releaseTry } from './count-try.js';

let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ ctx } = database);
});
afterAll(() => database.close());

const aTry = (more: Partial<Try> = {}): Try => ({ kind: 'sign_up', subject: newId(), network: '192.0.2.1', ...more });
const countedOf = (outcomes: ({ id: string } | { wait: number })[]) => outcomes.filter((each) => 'id' in each).length;

it('countTry accepts no more than the limit of a hundred concurrent tries', async () => {
  const [subject, network] = [newId(), newId()];
  const counts: TryLimit[] = [
    { allowance: { limit: 7, seconds: 60 }, kinds: ['sign_up'], subject },
    { allowance: { limit: 50, seconds: 60 }, kinds: ['sign_up'], network },
  ];
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, () => countTry(ctx, aTry({ subject, network }), counts)),
  );
  expect(countedOf(outcomes)).toBe(7);
  for (const each of outcomes) if ('wait' in each) expect(each.wait).toBeLessThanOrEqual(60);
});

it('countTry applies several limits in any order, and does not count released tries', async () => {
  const network = newId();
  const limitsOf = (subject: string): TryLimit[] => [
    { allowance: { limit: 20, seconds: 60 }, kinds: ['sign_up', 'reset'], network },
    { allowance: { limit: 1, seconds: 60 }, kinds: ['sign_up'], subject },
  ];
  const subjects = Array.from({ length: 40 }, newId);
  const outcomes = await Promise.all(
    subjects.map((subject, at) =>
      countTry(ctx, aTry({ subject, network }), at % 2 === 0 ? limitsOf(subject) : limitsOf(subject).reverse()),
    ),
  );
  expect(countedOf(outcomes)).toBe(20);
  const [first] = outcomes.filter((each) => 'id' in each);
  await releaseTry(ctx, first!.id);
  const again = await Promise.all([1, 2, 3].map(() => countTry(ctx, aTry({ network }), limitsOf(newId()))));
  expect(countedOf(again)).toBe(1);
});
