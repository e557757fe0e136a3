import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { type Context, DomainError, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { User, createUser, signIn } from '../index.js';
import { type APerson, aPerson } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let ada: APerson;

const knownAddress = '192.0.2.1';
let addressCount = 0;
/** An address without earlier tries. */
const aNewAddress = () => `198.51.${(addressCount >> 8) & 0xff}.${(addressCount += 1) & 0xff}`;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
});
beforeEach(async () => {
  ctx = aContext(source.manager, { credential: 'anonymous' });
  ada = await aPerson(ctx);
  await source.query('delete from auth_attempts');
});
afterAll(() => database.close());

const attempt = (address: string, password = 'wrong', email = ada.email) => signIn(ctx, { email, password, address });
const right = (address: string) => attempt(address, ada.password);

type Outcome = 'in' | 'wrong' | 'wait';
async function outcome(trying: Promise<unknown>): Promise<Outcome> {
  try {
    await trying;
    return 'in';
  } catch (reason) {
    if (reason instanceof DomainError && reason.code === 'UNAUTHENTICATED') return 'wrong';
    if (reason instanceof DomainError && reason.code === 'THROTTLED') return 'wait';
    throw reason;
  }
}
async function wait(trying: Promise<unknown>): Promise<number> {
  const reason: unknown = await trying.catch((thrown: unknown) => thrown);
  expect(reason).toMatchObject({ code: 'THROTTLED' });
  return (reason as DomainError).details?.['retryAfter'] as number;
}
const later = (seconds: number) => source.query(`update auth_attempts set at = at - $1 * interval '1 s'`, [seconds]);
/** Sets the times of all tries to now, so that slow tests do not change the result. */
const allJustNow = () => source.query('update auth_attempts set at = clock_timestamp()');
const actions = async (accountId: string) =>
  (await listAudit(ctx, { accountId, limit: 100 })).items.map(({ action }) => action);

describe('signIn', () => {
  it('accepts the email in any case and the exact password', async () => {
    const { user, needsCode } = await right(knownAddress);
    expect(needsCode).toBe(false);
    expect(user).toBeInstanceOf(User);
    expect(user).toMatchObject({ id: ada.user.id, accountId: ada.account.id, email: ada.email });
    await expect(attempt(knownAddress, ada.password, ` ${ada.email.toUpperCase()} `)).resolves.toMatchObject({
      user: { id: user.id },
    });
    await expect(attempt(knownAddress, ` ${ada.password}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('refuses unknown users, disabled users and users without a password with the same error', async () => {
    const [disabledUser, disabledAccount, withoutPassword] = [
      await aPerson(ctx),
      await aPerson(ctx),
      await aPerson(ctx),
    ];
    await source.query('update accounts set disabled_at = now() where id = $1', [disabledAccount.account.id]);
    await source.query('update users set disabled_at = now() where id = $1', [disabledUser.user.id]);
    await source.query('update users set password_hash = null where id = $1', [withoutPassword.user.id]);
    const tries = [
      attempt(knownAddress),
      attempt(knownAddress, ada.password, `${newId()}@example.org`),
      attempt(knownAddress, disabledUser.password, disabledUser.email),
      attempt(knownAddress, disabledAccount.password, disabledAccount.email),
      attempt(knownAddress, withoutPassword.password, withoutPassword.email),
      attempt(knownAddress, '', ''),
      attempt(knownAddress, 'x\u0000y', 'x\u0000y@example.org'),
    ];
    const refusals = await Promise.all(tries.map((each) => each.catch((reason: unknown) => reason)));
    for (const refusal of refusals) {
      expect(refusal).toEqual(new DomainError('UNAUTHENTICATED', 'The email or the password is wrong'));
    }
  });

  it('rehashes a password with an old hash', async () => {
    const old = '$scrypt$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0c2E$acg+ehUrbXb347GW2lJzU6eH6BXieFgMM/QAZjwr//U';
    await source.query('update users set password_hash = $2 where id = $1', [ada.user.id, old]);
    const hash = async () => (await ctx.db.findOneByOrFail(User, { id: ada.user.id })).passwordHash;
    await expect(attempt(knownAddress, 'käse und wein')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await hash()).toBe(old);
    await attempt(knownAddress, 'käse und brot');
    expect(await hash()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await attempt(knownAddress, 'käse und brot');
  });

  it('is audited for the account, or for a user without one', async () => {
    await attempt(knownAddress).catch(() => undefined);
    await right(knownAddress);
    expect(await actions(ada.account.id)).toEqual(['user.signed_in', 'user.sign_in_failed']);
    const [entry] = (await listAudit(ctx, { accountId: ada.account.id, limit: 1 })).items;
    expect(entry).toMatchObject({
      actor: { credential: 'anonymous', userId: ada.user.id, accountId: ada.account.id },
      target: { kind: 'user', id: ada.user.id },
      details: { address: knownAddress },
    });

    const email = `${newId()}@example.org`;
    const { id } = await createUser(ctx, { email, password: 'cheese and bread' });
    await attempt(knownAddress, 'cheese and bread', email);
    expect(await actions(id)).toEqual(['user.signed_in']);
  });
});

describe('password guessing', () => {
  it('gets ten tries in 15 minutes for one account, even from fifty addresses', async () => {
    const addresses = Array.from({ length: 50 }, aNewAddress);
    const seen: Outcome[] = [];
    for (let round = 0; round < 8; round += 1) {
      for (const address of addresses) seen.push(await outcome(attempt(address)));
      await later(40);
    }
    expect(seen.filter((each) => each === 'wrong')).toHaveLength(10);
    expect(new Set(seen)).toEqual(new Set(['wrong', 'wait']));
  });

  it('gets no more tries with 100 concurrent requests', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => outcome(attempt(aNewAddress()))));
    expect(outcomes.filter((each) => each === 'wrong').length).toBeLessThanOrEqual(10);
    const [{ count }] = await source.query<[{ count: number }]>('select count(*)::int as count from auth_attempts');
    expect(count).toBeLessThanOrEqual(10);
    expect(outcomes.filter((each) => each === 'in')).toEqual([]);
  });

  it('gets thirty tries in 15 minutes from one network for all accounts, unknown ones included', async () => {
    const address = '2001:db8:1:2::';
    const outcomes: Outcome[] = [];
    for (let each = 0; each < 40; each += 1) {
      outcomes.push(await outcome(attempt(`${address}${each.toString(16)}`, 'password1', `${newId()}@example.org`)));
    }
    expect(outcomes).toEqual([...Array<Outcome>(30).fill('wrong'), ...Array<Outcome>(10).fill('wait')]);
    expect(await outcome(right('2001:db8:1:3::1'))).toBe('in');
    expect(await wait(right(`${address}1`))).toBeGreaterThan(800);
  });

  it('has to wait longer each time, as retryAfter says', async () => {
    const addresses = Array.from({ length: 10 }, aNewAddress);
    const waits: number[] = [];
    for (const [at, address] of addresses.entries()) {
      await later(waits.at(-1) ?? 0);
      expect(await outcome(attempt(address))).toBe('wrong');
      if (at < 4) continue;
      await source.query(
        'update auth_attempts set at = clock_timestamp() where id = (select id from auth_attempts order by at desc limit 1)',
      );
      waits.push(await wait(right(aNewAddress())));
    }
    expect(waits).toHaveLength(6);
    for (const [index, expected] of [2, 4, 8, 16, 32].entries()) {
      expect(waits[index]).toBeLessThanOrEqual(expected);
      expect(waits[index]).toBeGreaterThanOrEqual(expected / 2);
    }
    expect(waits[5]).toBeGreaterThan(700);
    expect(waits[5]).toBeLessThanOrEqual(900);
    await later(waits[5] ?? 0);
    expect(await outcome(right(aNewAddress()))).toBe('in');
  });

  it('gets the same errors for an account that does not exist', async () => {
    const unknown = `${newId()}@example.org`;
    const errorsFor = async (email: string) => {
      const errors: unknown[] = [];
      for (let each = 0; each < 7; each += 1) {
        await allJustNow();
        const reason = await attempt(aNewAddress(), 'wrong', email).catch((thrown: unknown) => thrown as DomainError);
        expect(reason).toBeInstanceOf(DomainError);
        errors.push([(reason as DomainError).code, (reason as DomainError).message.replace(/\d+/, '?')]);
      }
      return errors;
    };
    expect(await errorsFor(unknown)).toEqual(await errorsFor(ada.email));
  });

  it('does not lock the owner out of a known network', async () => {
    await right(knownAddress);
    for (const address of Array.from({ length: 15 }, aNewAddress)) {
      await outcome(attempt(address));
      await later(40);
    }
    expect(await outcome(right(aNewAddress()))).toBe('wait');
    expect(await outcome(right(knownAddress))).toBe('in');
    await source.query(`update sign_in_networks set last_at = now() - interval '31 days'`);
    expect(await outcome(right(knownAddress))).toBe('wait');
  });

  it('from one network leaves tries for the owner in other networks', async () => {
    const address = aNewAddress();
    const seen: Outcome[] = [];
    for (let each = 0; each < 15; each += 1) {
      seen.push(await outcome(attempt(address)));
      await later(33);
    }
    expect(seen.filter((each) => each === 'wrong')).toHaveLength(7);
    expect(await outcome(right(aNewAddress()))).toBe('in');
  });

  it('is also limited from a known network, until a successful sign-in resets the count', async () => {
    await right(knownAddress);
    for (let each = 0; each < 4; each += 1) await outcome(attempt(knownAddress));
    expect(await outcome(right(knownAddress))).toBe('in');
    for (let each = 0; each < 5; each += 1) expect(await outcome(attempt(knownAddress))).toBe('wrong');
    await allJustNow();
    expect(await outcome(right(knownAddress))).toBe('wait');
    await later(2);
    expect(await outcome(right(knownAddress))).toBe('in');
  });

  it('is not reset when the attacker signs in to their own account', async () => {
    const mallory = await aPerson(ctx);
    const address = aNewAddress();
    for (let each = 0; each < 5; each += 1) {
      expect(await outcome(attempt(address))).toBe('wrong');
      expect(await outcome(attempt(address, mallory.password, mallory.email))).toBe('in');
    }
    await allJustNow();
    expect(await outcome(attempt(address))).toBe('wait');
  });

  it('does not count tries that were not evaluated', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => aPerson(ctx)));
    const signIns = people.flatMap(({ email, password }) =>
      [1, 2, 3, 4].map(() => signIn(ctx, { email, password, address: aNewAddress() })),
    );
    const outcomes = await Promise.all(signIns.map(outcome));
    expect(outcomes).toContain('in');
    expect(await source.query('select from auth_attempts')).toEqual([]);
  });
});
