import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import type { FreshDatabase } from '@lensforge/testing';
import { aContext, freshDatabase, until } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { inTransaction, openDatabase } from './index.js';

let database: FreshDatabase;
let source: DataSource;
let ctx: Context;

beforeAll(async () => {
  database = await freshDatabase({ empty: true });
  source = await openDatabase({ url: database.url, entities: [], applicationName: 'transaction.spec' });
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

describe('a transaction', () => {
  it('keeps all or nothing, and hands on what the work returns', async () => {
    await expect(inTransaction(ctx, async (ctx) => note(ctx, 'kept').then(() => 7))).resolves.toBe(7);
    await expect(
      inTransaction(ctx, async (ctx) => {
        await note(ctx, 'lost');
        throw new DomainError('CONFLICT', 'no');
      }),
    ).rejects.toThrow('no');
    expect([await notes(ctx, 'kept'), await notes(ctx, 'lost')]).toEqual([1, 0]);
  });

  it('shows its writes to nobody before the commit, and changes nothing but the database in the context', async () => {
    await inTransaction(ctx, async (inner) => {
      await note(inner, 'unseen');
      expect([await notes(inner, 'unseen'), await notes(ctx, 'unseen')]).toEqual([1, 0]);
      expect({ ...inner, db: ctx.db }).toEqual(ctx);
    });
    expect(await notes(ctx, 'unseen')).toBe(1);
  });

  it('is joined by one inside it', async () => {
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

  it.each(['40001', '40P01'])('is repeated as a whole after %s', async (state) => {
    let tries = 0;
    await inTransaction(ctx, async (ctx) => {
      await note(ctx, `try ${state}`);
      tries += 1;
      if (tries < 3) await ctx.db.query(`do $$ begin raise exception 'again' using errcode = '${state}'; end $$`);
    });
    expect(tries).toBe(3);
    expect(await notes(ctx, `try ${state}`)).toBe(1);
  });

  it.each([
    ['is noticed by the next query', false],
    ['was noticed before the next query', true],
  ])('is repeated when its connection is lost in the middle of it, which %s', async (when, isNoticed) => {
    let tries = 0;
    await inTransaction(ctx, async (inner) => {
      await note(inner, when);
      tries += 1;
      const [{ pid }] = await inner.db.query<[{ pid: number }]>('select pg_backend_pid() as pid');
      if (tries === 1) await ctx.db.query('select pg_terminate_backend($1)', [pid]);
      if (isNoticed) await until(() => tries > 1 || inner.db.queryRunner?.isReleased);
      await note(inner, when);
    });
    expect(tries).toBe(2);
    expect(await notes(ctx, when)).toBe(2);
  });

  it('is not repeated for a fault of the work itself', async () => {
    let tries = 0;
    const work = async (ctx: Context) => {
      tries += 1;
      await ctx.db.query('insert into notes (text) values (null)');
    };
    await expect(inTransaction(ctx, work)).rejects.toThrow(/null value/);
    expect(tries).toBe(1);
  });

  it('ends two that wait for each other by letting both go on in turn', async () => {
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
