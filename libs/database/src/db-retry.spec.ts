import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FaultProxy, type FreshDatabase, faultProxy, freshDatabase, until } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { getErrorCode, isTransient, openDatabase, withDbRetry } from './index.js';

const poolSize = 3;
const queryTimeoutMs = 400;
let database: FreshDatabase;
let proxy: FaultProxy;
let source: DataSource;
let direct: DataSource;

beforeAll(async () => {
  database = await freshDatabase({ empty: true });
  proxy = await faultProxy({ to: database.url });
  const through = new URL(database.url);
  through.port = String(proxy.port);
  const applicationName = 'db-retry.spec';
  source = await openDatabase({ url: through.href, applicationName, poolSize, queryTimeoutMs });
  direct = await openDatabase({ url: database.url, applicationName: 'direct', poolSize: 1 });
});
afterAll(async () => {
  await source.destroy();
  await direct.destroy();
  await proxy.close();
  await database.drop();
});

const one = async () => (await source.query<[{ one: number }]>('select 1 as one'))[0].one;
const several = () => Promise.all(Array.from({ length: poolSize }, () => withDbRetry(one)));
const allAnswered = Array.from({ length: poolSize }, () => 1);

const kill = () =>
  direct.query<unknown[]>(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'db-retry.spec' and datname = current_database()`,
  );

describe('withDbRetry', () => {
  it('succeeds after the server closed every connection, in use or idle', async () => {
    for (let round = 0; round < 10; round += 1) {
      await several();
      const running = Promise.all(
        Array.from({ length: poolSize }, () => withDbRetry(() => source.query('select pg_sleep(0.05)'))),
      );
      expect(await kill()).not.toHaveLength(0);
      await running;
      await expect(several()).resolves.toEqual(allAnswered);
    }
  });

  it('succeeds when a server accepts connections again', async () => {
    proxy.cut();
    const waiting = several();
    await expect(one()).rejects.toThrow();
    setTimeout(() => proxy.heal(), 700);
    await expect(waiting).resolves.toEqual(allAnswered);
  });

  it('rethrows the error after its timeout', async () => {
    proxy.cut();
    let tries = 0;
    const call = () => {
      tries += 1;
      return one();
    };
    await expect(withDbRetry(call, { timeoutMs: 1000 })).rejects.toThrow();
    expect(tries).toBeGreaterThan(2);
    proxy.heal();
  });

  it('discards connections without an answer, so that the pool works after the network heals', async () => {
    await several();
    proxy.hang();
    const lost = await Promise.allSettled(Array.from({ length: poolSize }, one));
    for (const outcome of lost) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'Query read timeout' } });
    }
    proxy.heal();
    await expect(Promise.all(Array.from({ length: poolSize * 3 }, one))).resolves.toEqual([
      ...allAnswered,
      ...allAnswered,
      ...allAnswered,
    ]);
  });

  it('discards a connection whose answer was lost in a transaction', async () => {
    await several();
    const rolledBack = source.transaction(async (db) => {
      await db.query('select 1');
      proxy.hang();
      await db.query('select 2');
    });
    await expect(rolledBack).rejects.toThrow('Query read timeout');
    proxy.heal();
    await until(async () => (await several()).length === poolSize);
    await expect(one()).resolves.toBe(1);
  });

  it('does not retry a permanent error', async () => {
    let tries = 0;
    const call = () => {
      tries += 1;
      return source.query('select 1 / 0');
    };
    await expect(withDbRetry(call)).rejects.toThrow('division by zero');
    expect(tries).toBe(1);
  });
});

describe('a lock timeout', () => {
  it('is thrown by default, and retried with retryLockTimeouts', async () => {
    await direct.query('create table held (id int); insert into held values (1)');
    const holder = direct.createQueryRunner();
    await holder.startTransaction();
    await holder.query('select id from held for update');
    const take = () =>
      source.transaction(async (db) => {
        await db.query(`set local lock_timeout = 100`);
        return await db.query<unknown[]>('select id from held for update');
      });
    await expect(withDbRetry(take)).rejects.toMatchObject({ driverError: { code: '55P03' } });
    const retried = withDbRetry(take, { timeoutMs: 30_000, retryLockTimeouts: true });
    setTimeout(() => void holder.rollbackTransaction(), 500);
    expect(await retried).toHaveLength(1);
    await holder.release();
  });
});

describe('isTransient', () => {
  const fault = (code: string, message = 'x') => Object.assign(new Error(message), { code });
  const driver = (code: string) => Object.assign(new Error('x'), { driverError: { code } });

  it.each(['40001', '40P01', '57P01', '57P02', '57P03', '08006', '08P01', '53300', 'ECONNREFUSED', 'ECONNRESET'])(
    'is true for the code %s',
    (code) => {
      expect(isTransient(fault(code))).toBe(true);
      expect(isTransient(driver(code))).toBe(true);
    },
  );

  it.each(['23505', '22P02', '42601', '57014', '55P03', '28P01', '3D000', '40002'])(
    'is false for the code %s',
    (code) => {
      expect(isTransient(fault(code))).toBe(false);
      expect(isTransient(driver(code))).toBe(false);
    },
  );

  it('recognises messages of the driver when there is no code', () => {
    expect(isTransient(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isTransient(new Error('timeout exceeded when trying to connect'))).toBe(true);
    expect(isTransient(new Error('Query read timeout'))).toBe(true);
    expect(isTransient(new Error('something else'))).toBe(false);
    expect(isTransient('ECONNREFUSED')).toBe(false);
  });
});

describe('getErrorCode', () => {
  it('finds the SQLSTATE in errors of TypeORM', async () => {
    const state = await direct.query('select 1 / 0').catch(getErrorCode);
    expect(state).toBe('22012');
    expect(getErrorCode(undefined)).toBeUndefined();
  });
});
