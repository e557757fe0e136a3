import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { inTransaction, openDatabase } from '@lensforge/database';
import type { FreshDatabase } from '@lensforge/testing';
import { aContext, freshDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import {
  CreditAccount,
  CreditEntry,
  creditEntities,
  grantCredits,
  holdCredits,
  ledgerFaults,
  settleCredits,
} from './index.js';
import { someCredits } from './testing.js';

let database: FreshDatabase;
let source: DataSource;
let ctx: Context;

beforeAll(async () => {
  database = await freshDatabase();
  source = await openDatabase({
    url: database.url,
    entities: creditEntities,
    applicationName: 'credits.spec',
    poolSize: 20,
  });
  ctx = aContext(source.manager);
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

async function anAccountWith(credits: number): Promise<string> {
  const accountId = newId();
  await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'x')`, [
    accountId,
    `a-${accountId}`,
  ]);
  if (credits > 0) await someCredits(ctx, accountId, credits);
  return accountId;
}

async function balanceOf(accountId: string): Promise<{ available: number; held: number }> {
  const account = await ctx.db.findOneByOrFail(CreditAccount, { accountId });
  return { available: Number(account.available), held: Number(account.held) };
}

async function hold(accountId: string, amount: number): Promise<string> {
  const runId = newId();
  await inTransaction(ctx, (ctx) => holdCredits(ctx, { accountId, runId, amount }));
  return runId;
}

const settle = (accountId: string, runId: string, held: number, cost: number) =>
  inTransaction(ctx, (ctx) => settleCredits(ctx, { accountId, runId, held, cost }));
const movementsOf = async (accountId: string) =>
  (await ctx.db.find(CreditEntry, { where: { accountId }, order: { id: 'ASC' } })).map(
    ({ kind, debit, credit, amount }) => `${kind} ${debit}→${credit} ${amount}`,
  );
const faults = () => ledgerFaults(ctx.db);

describe('credits', () => {
  it('are granted, held, captured and released, each with its entry', async () => {
    const accountId = await anAccountWith(0);
    await grantCredits(ctx, { accountId, amount: 100 });
    await grantCredits(ctx, { accountId, amount: 20, note: 'a gift' });
    const runId = await hold(accountId, 70);
    expect(await balanceOf(accountId)).toEqual({ available: 50, held: 70 });
    await settle(accountId, runId, 70, 30);
    expect(await balanceOf(accountId)).toEqual({ available: 90, held: 0 });
    expect(await movementsOf(accountId)).toEqual([
      'grant platform→available 100',
      'grant platform→available 20',
      'hold available→held 70',
      'capture held→revenue 30',
      'release held→available 40',
    ]);
    expect(await faults()).toEqual([]);
  });

  it.each([
    [10, ['capture held→revenue 10'], 0],
    [0, ['release held→available 10'], 10],
  ])('leave no empty entry when a run held 10 and cost %i', async (cost, entries, available) => {
    const accountId = await anAccountWith(10);
    const runId = await hold(accountId, 10);
    await settle(accountId, runId, 10, cost);
    expect((await movementsOf(accountId)).slice(2)).toEqual(entries);
    expect(await balanceOf(accountId)).toEqual({ available, held: 0 });
  });

  it('are refused when there are too few, or none ever were', async () => {
    const accountId = await anAccountWith(9);
    for (const poor of [accountId, await anAccountWith(0)]) {
      await expect(hold(poor, 10)).rejects.toMatchObject({
        code: 'INSUFFICIENT_CREDITS',
        message: 'This run needs 10 credits set aside; the account has fewer',
        details: { needed: 10 },
      });
    }
    expect(await balanceOf(accountId)).toEqual({ available: 9, held: 0 });
    await expect(hold(accountId, 9)).resolves.toBeDefined();
  });

  it('for ten runs let ten of two hundred concurrent ones through', async () => {
    const accountId = await anAccountWith(50);
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => hold(accountId, 5)));
    const held = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(held).toHaveLength(10);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    expect(await balanceOf(accountId)).toEqual({ available: 0, held: 50 });
    await Promise.all(held.map(({ value }, index) => settle(accountId, value, 5, index % 6)));
    expect(await balanceOf(accountId)).toMatchObject({ held: 0 });
    expect(await faults()).toEqual([]);
  });

  it('are never held, captured or released twice for one run', async () => {
    const accountId = await anAccountWith(100);
    const runId = await hold(accountId, 10);
    await hold(accountId, 10);
    const again = inTransaction(ctx, (ctx) => holdCredits(ctx, { accountId, runId, amount: 10 }));
    await expect(again).rejects.toThrow(/credit_entries_run/);
    await settle(accountId, runId, 10, 4);
    await expect(settle(accountId, runId, 10, 4)).rejects.toThrow(/credit_entries_run/);
    expect(await balanceOf(accountId)).toEqual({ available: 86, held: 10 });
    expect(await faults()).toEqual([]);
  });

  it('cannot be taken beyond what is held, nor given by it', async () => {
    const accountId = await anAccountWith(10);
    const runId = await hold(accountId, 5);
    for (const cost of [6, -1]) await expect(settle(accountId, runId, 5, cost)).rejects.toThrow('cannot cost');
    await expect(settle(accountId, runId, 8, 8)).rejects.toThrow(/credit_accounts_held_check/);
    for (const amount of [0, -5]) await expect(grantCredits(ctx, { accountId, amount })).rejects.toThrow();
    expect(await balanceOf(accountId)).toEqual({ available: 5, held: 5 });
    expect(await faults()).toEqual([]);
  });

  it('move with the transaction that they belong to', async () => {
    const accountId = await anAccountWith(10);
    const refused = inTransaction(ctx, async (ctx) => {
      await holdCredits(ctx, { accountId, runId: newId(), amount: 10 });
      throw new Error('the run was refused');
    });
    await expect(refused).rejects.toThrow('the run was refused');
    expect(await balanceOf(accountId)).toEqual({ available: 10, held: 0 });
  });
});

describe('the audit of the ledger', () => {
  it('names every account whose books do not agree', async () => {
    const sound = await anAccountWith(10);
    const raised = await anAccountWith(10);
    const lost = await anAccountWith(10);
    const holding = await anAccountWith(10);
    const overdrawn = await anAccountWith(20);
    await hold(sound, 3);
    await source.query('update credit_accounts set available = available + 1 where account_id = $1', [raised]);
    await source.query('update credit_accounts set held = held + 1 where account_id = $1', [holding]);
    await source.query('delete from credit_entries where account_id = $1', [lost]);
    const runId = await hold(overdrawn, 5);
    await hold(overdrawn, 10);
    await settle(overdrawn, runId, 5, 5);
    await settle(overdrawn, runId, 5, 0);
    const found = await faults();
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        { accountId: raised, fault: 'the balance is not the sum of its entries' },
        { accountId: lost, fault: 'the balance is not the sum of its entries' },
        { accountId: holding, fault: 'the balance is not the sum of its entries' },
        { accountId: overdrawn, fault: `more was taken from the hold of run ${runId} than it held` },
      ]),
    );
  });
});
