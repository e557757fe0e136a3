import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { DomainError, newId } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import type { FreshDatabase } from '@lensforge/testing';
import { aContext, freshDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { User, createUser, identityEntities, signIn } from '../index.js';
import type { APerson } from '../testing.js';
import { aPerson } from '../testing.js';

let database: FreshDatabase;
let source: DataSource;
let ctx: Context;
let ada: APerson;

const home = '192.0.2.1';
let strangers = 0;
/** A place that nobody has tried from yet. */
const aStranger = () => `198.51.${(strangers >> 8) & 0xff}.${(strangers += 1) & 0xff}`;

beforeAll(async () => {
  database = await freshDatabase();
  source = await openDatabase({ url: database.url, entities: identityEntities, applicationName: 'sign-in.spec' });
});
beforeEach(async () => {
  ctx = aContext(source.manager, { credential: 'anonymous' });
  ada = await aPerson(ctx);
  await source.query('delete from tries');
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const attempt = (address: string, password = 'wrong', email = ada.email) => signIn(ctx, { email, password, address });
const right = (address: string) => attempt(address, ada.password);

type Outcome = 'in' | 'wrong' | 'wait';
async function outcome(trying: Promise<User>): Promise<Outcome> {
  try {
    await trying;
    return 'in';
  } catch (reason) {
    if (reason instanceof DomainError && reason.code === 'UNAUTHENTICATED') return 'wrong';
    if (reason instanceof DomainError && reason.code === 'THROTTLED') return 'wait';
    throw reason;
  }
}
async function wait(trying: Promise<User>): Promise<number> {
  const reason: unknown = await trying.catch((thrown: unknown) => thrown);
  expect(reason).toMatchObject({ code: 'THROTTLED' });
  return (reason as DomainError).details?.['retryAfter'] as number;
}
const later = (seconds: number) => source.query(`update tries set at = at - $1 * interval '1 s'`, [seconds]);
/** Takes the time that the tests need out of it. */
const allJustNow = () => source.query('update tries set at = clock_timestamp()');
const actions = async (accountId: string) =>
  (await listAudit(ctx, { accountId, limit: 100 })).items.map(({ action }) => action);

describe('signing in', () => {
  it('is for whoever has the email and the password, however the email is written', async () => {
    const user = await right(home);
    expect(user).toBeInstanceOf(User);
    expect(user).toMatchObject({ id: ada.user.id, accountId: ada.account.id, email: ada.email });
    await expect(attempt(home, ada.password, ` ${ada.email.toUpperCase()} `)).resolves.toMatchObject({ id: user.id });
    await expect(attempt(home, ` ${ada.password}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('is refused in the same words to the unknown, the disabled, and those without a password', async () => {
    const [gone, closed, outside] = [await aPerson(ctx), await aPerson(ctx), await aPerson(ctx)];
    await source.query('update accounts set disabled_at = now() where id = $1', [closed.account.id]);
    await source.query('update users set disabled_at = now() where id = $1', [gone.user.id]);
    await source.query('update users set password_hash = null where id = $1', [outside.user.id]);
    const tries = [
      attempt(home),
      attempt(home, ada.password, `${newId()}@example.org`),
      attempt(home, gone.password, gone.email),
      attempt(home, closed.password, closed.email),
      attempt(home, outside.password, outside.email),
      attempt(home, '', ''),
      attempt(home, 'x\u0000y', 'x\u0000y@example.org'),
    ];
    const refusals = await Promise.all(tries.map((each) => each.catch((reason: unknown) => reason)));
    for (const refusal of refusals) {
      expect(refusal).toEqual(new DomainError('UNAUTHENTICATED', 'The email or the password is wrong'));
    }
  });

  it('puts an old hash in order', async () => {
    const old = '$scrypt$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0c2E$acg+ehUrbXb347GW2lJzU6eH6BXieFgMM/QAZjwr//U';
    await source.query('update users set password_hash = $2 where id = $1', [ada.user.id, old]);
    const hash = async () => (await ctx.db.findOneByOrFail(User, { id: ada.user.id })).passwordHash;
    await expect(attempt(home, 'käse und wein')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await hash()).toBe(old);
    await attempt(home, 'käse und brot');
    expect(await hash()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await attempt(home, 'käse und brot');
  });

  it('goes on the record of the account, or of a user who has none', async () => {
    await attempt(home).catch(() => undefined);
    await right(home);
    expect(await actions(ada.account.id)).toEqual(['user.signed_in', 'user.sign_in_failed']);
    const [entry] = (await listAudit(ctx, { accountId: ada.account.id, limit: 1 })).items;
    expect(entry).toMatchObject({
      actor: { credential: 'anonymous', userId: ada.user.id, accountId: ada.account.id },
      target: { kind: 'user', id: ada.user.id },
      details: { address: home },
    });

    const email = `${newId()}@example.org`;
    const { id } = await createUser(ctx, { email, password: 'cheese and bread' });
    await attempt(home, 'cheese and bread', email);
    expect(await actions(id)).toEqual(['user.signed_in']);
  });
});

describe('guessing', () => {
  it('gets ten tries a quarter of an hour for one account, from fifty places at once', async () => {
    const places = Array.from({ length: 50 }, aStranger);
    const seen: Outcome[] = [];
    for (let round = 0; round < 8; round += 1) {
      for (const place of places) seen.push(await outcome(attempt(place)));
      await later(40);
    }
    expect(seen.filter((each) => each === 'wrong')).toHaveLength(10);
    expect(new Set(seen)).toEqual(new Set(['wrong', 'wait']));
  });

  it('of a hundred at the same moment is no different from one after the other', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => outcome(attempt(aStranger()))));
    expect(outcomes.filter((each) => each === 'wrong').length).toBeLessThanOrEqual(10);
    const [{ count }] = await source.query<[{ count: number }]>('select count(*)::int as count from tries');
    expect(count).toBeLessThanOrEqual(10);
    expect(outcomes.filter((each) => each === 'in')).toEqual([]);
  });

  it('gets thirty tries a quarter of an hour from one place for all accounts, unknown ones included', async () => {
    const place = '2001:db8:1:2::';
    const outcomes: Outcome[] = [];
    for (let each = 0; each < 40; each += 1) {
      outcomes.push(await outcome(attempt(`${place}${each.toString(16)}`, 'password1', `${newId()}@example.org`)));
    }
    expect(outcomes).toEqual([...Array<Outcome>(30).fill('wrong'), ...Array<Outcome>(10).fill('wait')]);
    expect(await outcome(right('2001:db8:1:3::1'))).toBe('in');
    expect(await wait(right(`${place}1`))).toBeGreaterThan(800);
  });

  it('has to wait longer each time, and is told how long', async () => {
    const places = Array.from({ length: 10 }, aStranger);
    const waits: number[] = [];
    for (const [at, place] of places.entries()) {
      await later(waits.at(-1) ?? 0);
      expect(await outcome(attempt(place))).toBe('wrong');
      if (at < 4) continue;
      await source.query(
        'update tries set at = clock_timestamp() where id = (select id from tries order by at desc limit 1)',
      );
      waits.push(await wait(right(aStranger())));
    }
    expect(waits).toHaveLength(6);
    for (const [index, most] of [2, 4, 8, 16, 32].entries()) {
      expect(waits[index]).toBeLessThanOrEqual(most);
      expect(waits[index]).toBeGreaterThanOrEqual(most / 2);
    }
    expect(waits[5]).toBeGreaterThan(700);
    expect(waits[5]).toBeLessThanOrEqual(900);
    await later(waits[5] ?? 0);
    expect(await outcome(right(aStranger()))).toBe('in');
  });

  it('is told the same about an account that does not exist', async () => {
    const nobody = `${newId()}@example.org`;
    const tell = async (email: string) => {
      const told: unknown[] = [];
      for (let each = 0; each < 7; each += 1) {
        await allJustNow();
        const reason = await attempt(aStranger(), 'wrong', email).catch((thrown: unknown) => thrown as DomainError);
        expect(reason).toBeInstanceOf(DomainError);
        told.push([(reason as DomainError).code, (reason as DomainError).message.replace(/\d+/, '?')]);
      }
      return told;
    };
    expect(await tell(nobody)).toEqual(await tell(ada.email));
  });

  it('does not lock the owner out of where they have signed in before', async () => {
    await right(home);
    for (const place of Array.from({ length: 15 }, aStranger)) {
      await outcome(attempt(place));
      await later(40);
    }
    expect(await outcome(right(aStranger()))).toBe('wait');
    expect(await outcome(right(home))).toBe('in');
    await source.query(`update sign_in_networks set last_at = now() - interval '31 days'`);
    expect(await outcome(right(home))).toBe('wait');
  });

  it('from one place leaves the owner tries anywhere else', async () => {
    const place = aStranger();
    const seen: Outcome[] = [];
    for (let each = 0; each < 15; each += 1) {
      seen.push(await outcome(attempt(place)));
      await later(33);
    }
    expect(seen.filter((each) => each === 'wrong')).toHaveLength(7);
    expect(await outcome(right(aStranger()))).toBe('in');
  });

  it('is counted for the owner too, at home: but success forgets it', async () => {
    await right(home);
    for (let each = 0; each < 4; each += 1) await outcome(attempt(home));
    expect(await outcome(right(home))).toBe('in');
    for (let each = 0; each < 5; each += 1) expect(await outcome(attempt(home))).toBe('wrong');
    await allJustNow();
    expect(await outcome(right(home))).toBe('wait');
    await later(2);
    expect(await outcome(right(home))).toBe('in');
  });

  it('by somebody who has an account of his own does not get his tries back by signing in to it', async () => {
    const mallory = await aPerson(ctx);
    const place = aStranger();
    for (let each = 0; each < 5; each += 1) {
      expect(await outcome(attempt(place))).toBe('wrong');
      expect(await outcome(attempt(place, mallory.password, mallory.email))).toBe('in');
    }
    await allJustNow();
    expect(await outcome(attempt(place))).toBe('wait');
  });

  it('does not cost a try when it was not evaluated', async () => {
    const everybody = await Promise.all([1, 2, 3, 4].map(() => aPerson(ctx)));
    const crowd = everybody.flatMap(({ email, password }) =>
      [1, 2, 3, 4].map(() => signIn(ctx, { email, password, address: aStranger() })),
    );
    const outcomes = await Promise.all(crowd.map(outcome));
    expect(outcomes).toContain('in');
    expect(await source.query('select from tries')).toEqual([]);
  });
});
