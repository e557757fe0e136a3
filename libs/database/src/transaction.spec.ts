import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, DomainError } from '@lensforge/core';
import { type FreshDatabase, aContext, freshDatabase, until } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { afterCommit, inNestedTransaction, inTransaction, openDatabase, retryOutsideTransaction } from './index.js';

let database: FreshDatabase;
let source: DataSource;
let ctx: Context;

beforeAll(async () => {
  database = await freshDatabase({ empty: true });
  source = await openDatabase({ url: database.url, applicationName: 'transaction.spec' });
  await source.query('create table notes (id serial primary key, text text not null)');
  ctx = aContext(source.manager);
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const note = (ctx: Context, text: string) => ctx.db.query('insert into notes (text) values ($1)', [text]);
const notes = async (ctx: Context, text: string) =>
  (await ctx.db.query<unknown[]>('select 1 from notes where text = $1', [text])).length;
const transactionOf = async (ctx: Context) =>
  (await ctx.db.query<[{ id: string }]>('select pg_current_xact_id()::text as id'))[0].id;

describe('inTransaction', () => {
  it('commits all writes or none, and returns the result of the work', async () => {
    await expect(inTransaction(ctx, async (ctx) => note(ctx, 'kept').then(() => 7))).resolves.toBe(7);
    await expect(
      inTransaction(ctx, async (ctx) => {
        await note(ctx, 'lost');
        throw new DomainError('CONFLICT', 'no');
      }),
    ).rejects.toThrow('no');
    expect([await notes(ctx, 'kept'), await notes(ctx, 'lost')]).toEqual([1, 0]);
  });

  it('hides its writes until the commit, and replaces only ctx.db', async () => {
    await inTransaction(ctx, async (inner) => {
      await note(inner, 'unseen');
      expect([await notes(inner, 'unseen'), await notes(ctx, 'unseen')]).toEqual([1, 0]);
      expect({ ...inner, db: ctx.db }).toEqual(ctx);
    });
    expect(await notes(ctx, 'unseen')).toBe(1);
  });

  it('joins an outer transaction', async () => {
    await expect(
      inTransaction(ctx, async (ctx) => {
        const outer = await transactionOf(ctx);
        await inTransaction(ctx, async (ctx) => {
          expect(await transactionOf(ctx)).toBe(outer);
          await note(ctx, 'inner');
        });
        throw new Error('after the inner one');
      }),
    ).rejects.toThrow('after the inner one');
    expect(await notes(ctx, 'inner')).toBe(0);
  });

  it.each(['40001', '40P01'])('repeats the whole work after SQLSTATE %s', async (state) => {
    let attempts = 0;
    await inTransaction(ctx, async (ctx) => {
      await note(ctx, `try ${state}`);
      attempts += 1;
      if (attempts < 3) await ctx.db.query(`do $$ begin raise exception 'again' using errcode = '${state}'; end $$`);
    });
    expect(attempts).toBe(3);
    expect(await notes(ctx, `try ${state}`)).toBe(1);
  });

  it.each([
    ['during the next query', false],
    ['before the next query', true],
  ])('repeats the work when its connection is lost and the loss is detected %s', async (when, isNoticed) => {
    let attempts = 0;
    await inTransaction(ctx, async (inner) => {
      await note(inner, when);
      attempts += 1;
      const [{ pid }] = await inner.db.query<[{ pid: number }]>('select pg_backend_pid() as pid');
      if (attempts === 1) await ctx.db.query('select pg_terminate_backend($1)', [pid]);
      if (isNoticed) await until(() => attempts > 1 || inner.db.queryRunner?.isReleased);
      await note(inner, when);
    });
    expect(attempts).toBe(2);
    expect(await notes(ctx, when)).toBe(2);
  });

  it('does not repeat the work after a permanent error', async () => {
    let attempts = 0;
    const work = async (ctx: Context) => {
      attempts += 1;
      await ctx.db.query('insert into notes (text) values (null)');
    };
    await expect(inTransaction(ctx, work)).rejects.toThrow(/null value/);
    expect(attempts).toBe(1);
  });

  it('completes both of two transactions that deadlock', async () => {
    await source.query('create table seats (id integer primary key, taken integer not null default 0)');
    await source.query('insert into seats values (1), (2)');
    let isFirst = true;
    const take = (order: number[]) =>
      inTransaction(ctx, async (ctx) => {
        for (const id of order) {
          await ctx.db.query('update seats set taken = taken + 1 where id = $1', [id]);
          if (isFirst) await new Promise((resolve) => setTimeout(resolve, 100));
        }
        isFirst = false;
      });
    await Promise.all([take([1, 2]), take([2, 1])]);
    expect(await source.query('select taken from seats order by id')).toEqual([{ taken: 2 }, { taken: 2 }]);
  });
});

describe('inNestedTransaction', () => {
  it('undoes its own writes and effects only, when it fails within a transaction', async () => {
    const seen: string[] = [];
    await inTransaction(ctx, async (ctx) => {
      await note(ctx, 'before it');
      await expect(
        inNestedTransaction(ctx, async (ctx) => {
          await note(ctx, 'in it');
          afterCommit(ctx, () => seen.push('of the failure'));
          await ctx.db.query('insert into notes (text) values (null)');
        }),
      ).rejects.toThrow(/null value/);
      await inNestedTransaction(ctx, async (ctx) => {
        await note(ctx, 'after it');
        afterCommit(ctx, () => seen.push('of the success'));
      });
    });
    expect([await notes(ctx, 'before it'), await notes(ctx, 'in it'), await notes(ctx, 'after it')]).toEqual([1, 0, 1]);
    expect(seen).toEqual(['of the success']);
  });

  it('is a transaction of its own outside of one', async () => {
    const work = inNestedTransaction(ctx, async (ctx) => {
      await note(ctx, 'alone');
      throw new DomainError('CONFLICT', 'no');
    });
    await expect(work).rejects.toThrow('no');
    await inNestedTransaction(ctx, (ctx) => note(ctx, 'alone'));
    expect(await notes(ctx, 'alone')).toBe(1);
  });
});

describe('retryOutsideTransaction', () => {
  const failing = (calls: { count: number }) => () => {
    calls.count += 1;
    return Promise.reject(Object.assign(new Error('reset'), { code: calls.count < 3 ? 'ECONNRESET' : 'OTHER' }));
  };

  it('retries after transient errors', async () => {
    const calls = { count: 0 };
    await expect(retryOutsideTransaction(ctx, failing(calls))).rejects.toThrow('reset');
    expect(calls.count).toBe(3);
  });

  it('leaves the retry to the transaction that it is called in', async () => {
    const calls = { count: 0 };
    let attempts = 0;
    const work = inTransaction(ctx, async (ctx) => {
      attempts += 1;
      await retryOutsideTransaction(ctx, failing(calls));
    });
    await expect(work).rejects.toThrow('reset');
    expect([attempts, calls.count]).toEqual([3, 3]);
  });
});

describe('afterCommit', () => {
  it('calls its effects after the commit, in order, once however often the work was repeated', async () => {
    const seen: string[] = [];
    let attempts = 0;
    await inTransaction(ctx, async (ctx) => {
      attempts += 1;
      afterCommit(ctx, () => seen.push('first'));
      await inTransaction(ctx, async (ctx) => afterCommit(ctx, () => seen.push('second')));
      expect(seen).toEqual([]);
      if (attempts === 1) await ctx.db.query(`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    expect([attempts, seen]).toEqual([2, ['first', 'second']]);
  });

  it('calls none after a rollback, and calls an effect at once without a transaction', async () => {
    const seen: string[] = [];
    const work = inTransaction(ctx, async (ctx) => {
      afterCommit(ctx, () => seen.push('rolled back'));
      throw new DomainError('CONFLICT', 'no');
    });
    await expect(work).rejects.toThrow('no');
    afterCommit(ctx, () => seen.push('at once'));
    expect(seen).toEqual(['at once']);
  });
});
