import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, type Credential, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import type { DataSource } from 'typeorm';
import {
  CreditAccount,
  CreditEntry,
  type CreditLimit,
  addedPart,
  chargeAboveHold,
  grantCredits,
  holdCredits,
  ledgerFaults,
  listCreditEntries,
  readBalance,
  readLimitUse,
  requireCredits,
  settleCredits,
} from './index.js';
import { grantTestCredits } from './testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 20 });
  ({ source, ctx } = database);
});
afterAll(() => database.close());

async function anAccountWith(credits: number): Promise<string> {
  const accountId = newId();
  await source.query(`insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'x')`, [
    accountId,
    `a-${accountId}`,
  ]);
  if (credits > 0) await grantTestCredits(ctx, accountId, credits);
  return accountId;
}

async function balanceOf(accountId: string): Promise<{ available: number; held: number }> {
  const account = await ctx.db.findOneByOrFail(CreditAccount, { accountId });
  return { available: Number(account.available), held: Number(account.held) };
}

const as = (accountId: string, creditLimit?: Credential['creditLimit']): Context => ({
  ...ctx,
  actor: { ...ctx.actor, accountId, credential: { ...ctx.actor.credential, ...(creditLimit && { creditLimit }) } },
});

async function hold(
  accountId: string,
  amount: number,
  { by = as(accountId), limits = [] }: { by?: Context; limits?: CreditLimit[] } = {},
): Promise<string> {
  const runId = newId();
  await inTransaction(by, (ctx) => holdCredits(ctx, { accountId, runId, amount, limits }));
  return runId;
}

const held = (outcomes: PromiseSettledResult<string>[]): string[] =>
  outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
const aMonthAgo = (id: string) =>
  source.query(`update credit_uses set month = (month - interval '1 month')::date where id = $1`, [id]);

const settle = (runId: string, cost: number) => inTransaction(ctx, (ctx) => settleCredits(ctx, { runId, cost }));
const movementsOf = async (accountId: string) =>
  (await ctx.db.find(CreditEntry, { where: { accountId }, order: { id: 'ASC' } })).map(
    ({ kind, debit, credit, amount }) => `${kind} ${debit}→${credit} ${amount}`,
  );
const faults = () => ledgerFaults(ctx.db);

describe('credits', () => {
  it('are granted, held, captured and released, each with a ledger entry', async () => {
    const accountId = await anAccountWith(0);
    await grantCredits(ctx, { accountId, amount: 100 });
    await grantCredits(ctx, { accountId, amount: 20, note: 'a gift' });
    const runId = await hold(accountId, 70);
    expect(await balanceOf(accountId)).toEqual({ available: 50, held: 70 });
    await settle(runId, 30);
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
  ])('leave no ledger entry of 0 when a run held 10 and cost %i', async (cost, entries, available) => {
    const accountId = await anAccountWith(10);
    const runId = await hold(accountId, 10);
    await settle(runId, cost);
    expect((await movementsOf(accountId)).slice(2)).toEqual(entries);
    expect(await balanceOf(accountId)).toEqual({ available, held: 0 });
  });

  it.each([
    [12, ['capture held→revenue 10', 'capture held→revenue 2', 'release held→available 3']],
    [4, ['capture held→revenue 4', 'release held→available 6', 'release held→available 5']],
  ])('are captured once when a run held 10 and then 5 more, and cost %i', async (cost, entries) => {
    const accountId = await anAccountWith(20);
    const runId = await hold(accountId, 10);
    await inTransaction(as(accountId), (ctx) => holdCredits(ctx, { accountId, runId, part: addedPart, amount: 5 }));
    await settle(runId, cost);
    expect((await movementsOf(accountId)).slice(3)).toEqual(entries);
    expect(await balanceOf(accountId)).toEqual({ available: 20 - cost, held: 0 });
  });

  it('are charged above the hold as far as the account has them, and never above a limit', async () => {
    const accountId = await anAccountWith(15);
    const above = (runId: string) => inTransaction(ctx, (ctx) => chargeAboveHold(ctx, { runId, amount: 8 }));
    const limit: CreditLimit = { id: newId(), credits: 100, period: 'total', of: 'token' };
    const limited = await hold(accountId, 2, { limits: [limit] });
    expect(await above(limited)).toBe(0);
    await settle(limited, 2);
    const runId = await hold(accountId, 10);
    expect(await above(runId)).toBe(3);
    await settle(runId, 10);
    expect(await balanceOf(accountId)).toEqual({ available: 0, held: 0 });
    expect(await faults()).toEqual([]);
  });

  it('are looked for before a run is written, in the account of the caller or of a sponsor', async () => {
    const accountId = await anAccountWith(9);
    const look = (caller: string, amount: number) => requireCredits(as(caller), { accountId, amount });
    await expect(look(accountId, 9)).resolves.toBeUndefined();
    await expect(look(accountId, 10)).rejects.toThrow('This run may cost 10 credits');
    await expect(look(newId(), 10)).rejects.toThrow('The sponsor has too few credits');
    const without = newId();
    await expect(requireCredits(as(without), { accountId: without, amount: 1 })).rejects.toThrow('may cost 1 credits');
  });

  it('are refused by a limit in the words of what it limits', async () => {
    const accountId = await anAccountWith(50);
    const limit = { id: newId(), credits: 5, period: 'day' } as const;
    const rest = 'may spend 5 credits a day (UTC): 0 are spent and 0 held, 5 are left, and this run needs 10';
    const words = { token: 'This token', agent: 'This AI lenser' } as const;
    for (const kind of ['token', 'agent'] as const)
      await expect(hold(accountId, 10, { limits: [{ ...limit, of: kind }] })).rejects.toThrow(`${words[kind]} ${rest}`);
  });

  it('are refused when the account has too few or never had any', async () => {
    const accountId = await anAccountWith(9);
    for (const account of [accountId, await anAccountWith(0)]) {
      await expect(hold(account, 10)).rejects.toMatchObject({
        code: 'INSUFFICIENT_CREDITS',
        message: 'This run may cost 10 credits, more than the account has available',
        details: { limitOf: 'account', needed: 10 },
      });
    }
    expect(await balanceOf(accountId)).toEqual({ available: 9, held: 0 });
    await expect(hold(accountId, 9)).resolves.toBeDefined();
  });

  it('for ten runs are held by exactly ten of 200 concurrent runs', async () => {
    const accountId = await anAccountWith(50);
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => hold(accountId, 5)));
    const accepted = held(outcomes);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(accepted).toHaveLength(10);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    expect(await balanceOf(accountId)).toEqual({ available: 0, held: 50 });
    await Promise.all(accepted.map((runId, index) => settle(runId, index % 6)));
    expect(await balanceOf(accountId)).toMatchObject({ held: 0 });
    expect(await faults()).toEqual([]);
  });

  it('are held, captured and released at most once per run', async () => {
    const accountId = await anAccountWith(100);
    const runId = await hold(accountId, 10);
    await hold(accountId, 10);
    const again = inTransaction(ctx, (ctx) => holdCredits(ctx, { accountId, runId, amount: 10 }));
    await expect(again).rejects.toThrow(/credit_entries_run/);
    await settle(runId, 4);
    await expect(settle(runId, 4)).rejects.toThrow(/credit_entries_run/);
    expect(await balanceOf(accountId)).toEqual({ available: 86, held: 10 });
    expect(await faults()).toEqual([]);
  });

  it('cannot be captured beyond the amount held, and neither costs nor grants can be negative', async () => {
    const accountId = await anAccountWith(10);
    const runId = await hold(accountId, 5);
    for (const cost of [6, -1]) await expect(settle(runId, cost)).rejects.toThrow('cannot cost');
    await expect(settle(newId(), 0)).rejects.toThrow('no credits set aside');
    for (const amount of [0, -5]) await expect(grantCredits(ctx, { accountId, amount })).rejects.toThrow();
    expect(await balanceOf(accountId)).toEqual({ available: 5, held: 5 });
    expect(await faults()).toEqual([]);
  });

  it('are not held when the transaction rolls back', async () => {
    const accountId = await anAccountWith(10);
    const refused = inTransaction(ctx, async (ctx) => {
      await holdCredits(ctx, { accountId, runId: newId(), amount: 10 });
      throw new Error('the run was refused');
    });
    await expect(refused).rejects.toThrow('the run was refused');
    expect(await balanceOf(accountId)).toEqual({ available: 10, held: 0 });
  });
});

describe('a credit limit', () => {
  it.each(['month', 'total'] as const)(
    'of a token counts the credits held and spent with it, by %s',
    async (period) => {
      const accountId = await anAccountWith(100);
      const by = as(accountId, { id: newId(), credits: 10, period });
      const limit = { id: by.actor.credential.creditLimit?.id ?? '', period };
      const [first] = [await hold(accountId, 6, { by }), await hold(accountId, 4, { by })];
      await expect(hold(accountId, 1, { by })).rejects.toMatchObject({
        code: 'INSUFFICIENT_CREDITS',
        message: expect.stringContaining('This token may spend 10 credits'),
        details: { limitOf: 'token', limit: 10, spent: 0, held: 10, needed: 1 },
      });
      await settle(first, 5);
      expect(await readLimitUse(ctx, limit)).toEqual({ held: 4, spent: 5 });
      await expect(hold(accountId, 2, { by })).rejects.toMatchObject({ details: { spent: 5, held: 4 } });
      await hold(accountId, 1, { by });
      await expect(hold(accountId, 90)).resolves.toBeDefined();
      expect(await faults()).toEqual([]);
    },
  );

  it('by month starts again in the next month except for open holds, while a total limit does not', async () => {
    const accountId = await anAccountWith(100);
    for (const [period, left] of [
      ['month', 7],
      ['total', 2],
    ] as const) {
      const creditLimit = { id: newId(), credits: 10, period };
      const by = as(accountId, creditLimit);
      await hold(accountId, 3, { by });
      await settle(await hold(accountId, 5, { by }), 5);
      await aMonthAgo(creditLimit.id);
      await expect(hold(accountId, left + 1, { by })).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
      await settle(await hold(accountId, left, { by }), left);
      expect(await readLimitUse(ctx, creditLimit)).toEqual({ held: 3, spent: 7 });
    }
    expect(await faults()).toEqual([]);
  });

  it('by day starts again on the next day except for open holds', async () => {
    const [by, sponsor] = [as(await anAccountWith(0)), await anAccountWith(1000)];
    const limit: CreditLimit = { id: newId(), credits: 10, period: 'day', of: 'sponsorship_caller' };
    const spend = (amount: number) => hold(sponsor, amount, { by, limits: [limit] });
    await spend(3);
    await settle(await spend(5), 5);
    await expect(spend(3)).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      message: expect.stringContaining(
        'at most 10 credits a day (UTC) for each caller: 5 are spent and 3 held, 2 are left',
      ),
      details: { limitOf: 'sponsorship_caller', limit: 10, period: 'day', spent: 5, held: 3, left: 2, needed: 3 },
    });
    await source.query(`update credit_uses set day = day - 1 where id = $1`, [limit.id]);
    expect(await readLimitUse(ctx, limit)).toEqual({ held: 3, spent: 0 });
    await expect(spend(8)).rejects.toMatchObject({ details: { left: 7 } });
    await settle(await spend(7), 7);
    expect(await readLimitUse(ctx, limit)).toEqual({ held: 3, spent: 7 });
    expect(await readLimitUse(ctx, { id: limit.id, period: 'total' })).toEqual({ held: 3, spent: 12 });
    expect(await faults()).toEqual([]);
  });

  it('per run counts all parts together, also under concurrency', async () => {
    const sponsor = await anAccountWith(1000);
    const limit: CreditLimit = { id: newId(), credits: 500, period: 'total', of: 'sponsorship', perRun: 50 };
    const part = (runId: string, name: string, amount: number) =>
      inTransaction(ctx, (ctx) =>
        holdCredits(ctx, { accountId: sponsor, runId, part: name, amount, limits: [limit] }).then(() => name),
      );
    const runId = newId();
    const parts = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => part(runId, `n${n}`, 12)));
    expect(held(parts)).toHaveLength(4);
    await expect(part(runId, 'more', 12)).rejects.toMatchObject({
      message: expect.stringContaining('at most 50 credits for a run: 2 are left, and this needs 12'),
      details: { limitOf: 'sponsorship_run', limit: 50, left: 2, needed: 12 },
    });
    await inTransaction(ctx, (ctx) => settleCredits(ctx, { runId, part: held(parts)[0] ?? '', cost: 1 }));
    await part(runId, 'more', 12);
    await part(newId(), 'other', 50);
    await expect(hold(sponsor, 51, { limits: [limit] })).rejects.toMatchObject({ details: { left: 50 } });
    expect(await faults()).toEqual([]);
  });

  it('does not count credits that another account pays', async () => {
    const [caller, sponsor] = [await anAccountWith(0), await anAccountWith(100)];
    const by = as(caller, { id: newId(), credits: 0, period: 'total' });
    const pool: CreditLimit = { id: newId(), credits: 20, period: 'total', of: 'sponsorship' };
    await hold(sponsor, 15, { by, limits: [pool] });
    await expect(hold(sponsor, 6, { by, limits: [pool] })).rejects.toMatchObject({
      message: 'The sponsor pool has too few credits left for this run',
      details: { limitOf: 'sponsorship' },
    });
    await hold(sponsor, 5, { by, limits: [pool] });
    await expect(hold(sponsor, 90, { by })).rejects.toThrow('The sponsor has too few credits for this run');
    expect([await balanceOf(sponsor), await readBalance(by)]).toEqual([
      { available: 80, held: 20 },
      { available: 0, held: 0 },
    ]);
    expect(await faults()).toEqual([]);
  });

  it('and the balance are both enforced under 200 concurrent holds', async () => {
    const accountId = await anAccountWith(60);
    const by = as(accountId, { id: newId(), credits: 50, period: 'month' });
    const pool: CreditLimit = { id: newId(), credits: 45, period: 'total', of: 'sponsorship' };
    const accepted = held(
      await Promise.allSettled(Array.from({ length: 200 }, () => hold(accountId, 5, { by, limits: [pool] }))),
    );
    expect(accepted).toHaveLength(9);
    const direct = await Promise.allSettled(Array.from({ length: 20 }, () => hold(accountId, 5)));
    expect(held(direct)).toHaveLength(3);
    await Promise.all(accepted.map((runId, index) => settle(runId, index % 6)));
    expect(await readLimitUse(ctx, pool)).toEqual({ held: 0, spent: 0 + 1 + 2 + 3 + 4 + 5 + 0 + 1 + 2 });
    expect(await faults()).toEqual([]);
  });
});

describe('a grant', () => {
  it('with an idempotency key is made once per account, also under concurrency', async () => {
    const accountId = await anAccountWith(0);
    const grants = Array.from({ length: 20 }, () => grantCredits(ctx, { accountId, amount: 7, key: 'invoice 12' }));
    expect((await Promise.all(grants)).filter(Boolean)).toHaveLength(1);
    expect(await grantCredits(ctx, { accountId, amount: 7, key: 'invoice 13' })).toBe(true);
    expect(await balanceOf(accountId)).toEqual({ available: 14, held: 0 });
    const other = await anAccountWith(0);
    expect(await grantCredits(ctx, { accountId: other, amount: 7, key: 'invoice 12' })).toBe(true);
    expect(await faults()).toEqual([]);
  });
});

describe('listCreditEntries', () => {
  it('returns the entries of the caller only, newest first, page by page', async () => {
    const accountId = await anAccountWith(30);
    await anAccountWith(5);
    const runId = await hold(accountId, 10);
    await settle(runId, 4);
    const seen = [];
    let cursor: string | undefined;
    do {
      const page = await listCreditEntries(as(accountId), { limit: 3, cursor });
      seen.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen.map(({ kind, amount, runId, note }) => [kind, amount, runId, note])).toEqual([
      ['release', 6, runId, null],
      ['capture', 4, runId, null],
      ['hold', 10, runId, null],
      ['grant', 30, null, 'for a test'],
    ]);
    expect(await readBalance(as(accountId))).toEqual({ available: 26, held: 0 });
  });
});

describe('the ledger', () => {
  it('refuses updates, deletes and truncation', async () => {
    const accountId = await anAccountWith(10);
    for (const [rewriting, values] of [
      ['update credit_entries set amount = amount + 1 where account_id = $1', [accountId]],
      ['delete from credit_entries where account_id = $1', [accountId]],
      ['truncate credit_entries', []],
    ] as const) {
      await expect(source.query(rewriting, [...values])).rejects.toThrow('the ledger is only ever appended to');
    }
    expect(await readBalance(as(accountId))).toEqual({ available: 10, held: 0 });
  });
});

describe('ledgerFaults', () => {
  it('names every account and limit whose balance and entries disagree', async () => {
    const correct = await anAccountWith(10);
    const raised = await anAccountWith(10);
    const lost = await anAccountWith(10);
    const holding = await anAccountWith(10);
    const overdrawn = await anAccountWith(20);
    await hold(correct, 3);
    await source.query('update credit_accounts set available = available + 1 where account_id = $1', [raised]);
    await source.query('update credit_accounts set held = held + 1 where account_id = $1', [holding]);
    await source.query('alter table credit_entries disable trigger user');
    await source.query('delete from credit_entries where account_id = $1', [lost]);
    await source.query('alter table credit_entries enable trigger user');
    const runId = await hold(overdrawn, 5);
    await hold(overdrawn, 10);
    await settle(runId, 5);
    await settle(runId, 0);
    const id = newId();
    await hold(correct, 1, { by: as(correct, { id, credits: 9, period: 'total' }) });
    await source.query('update credit_uses set held = 2 where id = $1', [id]);
    const found = await faults();
    expect(found).toHaveLength(5);
    expect(found).toEqual(
      expect.arrayContaining([
        { accountId: raised, fault: 'the balance is not the sum of its entries' },
        { accountId: lost, fault: 'the balance is not the sum of its entries' },
        { accountId: holding, fault: 'the balance is not the sum of its entries' },
        { accountId: id, fault: 'the use of the credit limit is not the sum of its entries' },
        { accountId: overdrawn, fault: `more was taken from the hold of run ${runId} than it held` },
      ]),
    );
  });
});
