import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { readCookies, hiddenFields, knownServices } from '@lensforge/dev';
import { rotateSigningKeys } from '@lensforge/identity';
import { until } from '@lensforge/testing';
import { keyRing, readMasterKeys } from '@lensforge/vault';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHolder, keyOf, requestStatus } from './credential-holder.js';
import { TestPlatform, countBy, withConcurrency, atRate } from './test-platform.js';

const letIn = 404;
const quarterOfAnHour = '15 minutes';

let setup: TestPlatform;
let form: URLSearchParams;
let cookie: string;
beforeAll(async () => {
  setup = await TestPlatform.open({
    services: knownServices('api-gateway', 'oauth'),
    replicas: { 'api-gateway': 2 },
    environment: { LENSFORGE_JWKS_REFRESH_SECONDS: '1' },
  });
  // A browser with the cookie of its visit and no session can submit the same form repeatedly.
  const page = await fetch(`${setup.platform.urlOf('oauth')}/id/sign-in`);
  cookie = readCookies(page);
  form = new URLSearchParams(hiddenFields(await page.text()));
});
afterAll(() => setup.close());
beforeEach(() => setup.db.query('truncate auth_attempts, sign_in_networks'));

interface Answer {
  status: number;
  retryAfter: number;
  ms: number;
}

async function signIn(email: string, password: string, address: string): Promise<Answer> {
  const filledIn = new URLSearchParams([...form, ['email', email], ['password', password]]);
  const since = performance.now();
  const answer = await fetch(`${setup.platform.urlOf('oauth')}/id/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': address, cookie },
    body: filledIn,
  });
  await answer.text();
  const ms = performance.now() - since;
  return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), ms };
}

const unknownEmail = (): string => `${randomBytes(8).toString('hex')}@mail.example`;
const anywhere = (): string => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`;
const owner = () => {
  const [alice] = setup.platform.users;
  if (!alice) throw new Error('the platform has no demo user');
  return alice;
};
const byStatus = (answers: readonly Answer[]): Record<string, number> => countBy(answers.map(({ status }) => status));
const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? NaN;

describe('a thousand password guesses', () => {
  it.each([
    ['one address', () => '203.0.113.7'],
    ['fifty addresses', (n: number) => `203.0.113.${100 + (n % 50)}`],
  ])('at one account from %s are limited to ten attempts, and the owner can sign in', async (_, addressOf) => {
    const { email, password } = owner();
    expect((await signIn(email, password, '198.51.100.7')).status).toBe(303);
    const answers = await withConcurrency(1000, 20, (n) => signIn(email, `guess number ${n}`, addressOf(n)));
    const counts = byStatus(answers);
    expect(Object.keys(counts).sort()).toEqual(['401', '429']);
    expect(counts['401']).toBeLessThanOrEqual(10);
    const waits = answers.filter(({ status }) => status === 429).map(({ retryAfter }) => retryAfter);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...waits)).toBeLessThanOrEqual(900);
    expect((await signIn(email, password, '198.51.100.7')).status).toBe(303);
    // As after 15 minutes.
    await setup.db.query(`update auth_attempts set at = at - interval '${quarterOfAnHour}'`);
    expect((await signIn(email, password, '192.0.2.99')).status).toBe(303);
  });

  it('of one password at as many accounts are limited to thirty attempts from one address', async () => {
    const answers = await withConcurrency(1000, 20, () => signIn(unknownEmail(), 'Summer2026!', '203.0.113.8'));
    const counts = byStatus(answers);
    expect(Object.keys(counts).sort()).toEqual(['401', '429']);
    expect(counts['401']).toBeLessThanOrEqual(30);
  });
});

describe('the response time of a wrong password', () => {
  it('does not reveal that the account exists', async () => {
    const { email } = owner();
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let n = 0; n < 310; n += 1) {
      const pair = [['known', email] as const, ['unknown', unknownEmail()] as const];
      for (const [name, each] of n % 2 === 0 ? pair : pair.reverse()) {
        const { status, ms } = await signIn(each, 'not the password', anywhere());
        expect(status).toBe(401);
        if (n >= 10) times[name].push(ms);
        await setup.db.query('truncate auth_attempts');
      }
    }
    const [known, unknown] = [quantile(times.known, 0.5), quantile(times.unknown, 0.5)];
    process.stdout.write(`wrong password, median ms: known ${known.toFixed(1)}, unknown ${unknown.toFixed(1)}\n`);
    expect(Math.abs(known - unknown)).toBeLessThan(5);
  });
});

describe('two hundred sign-ins a second', () => {
  it('are refused above the capacity, and other requests do not slow down', async () => {
    const { token } = await createHolder(setup, 'session');
    const others = async () => {
      const [times, statuses]: [number[], number[]] = [[], []];
      for (const end = performance.now() + 4000; performance.now() < end;) {
        for (const ask of [() => requestStatus(setup, 'api', times.length % 2, token), () => published()]) {
          const since = performance.now();
          statuses.push(await ask());
          times.push(performance.now() - since);
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return { p95: quantile(times, 0.95), statuses: Object.keys(countBy(statuses)) };
    };
    // Measured by turns: on shared cores the p95 of an idle platform alone differs by half from minute to minute.
    const ratios: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const idle = await others();
      const crowd = aCrowd(200);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const busy = await others();
      const counts = await crowd.stop();
      process.stdout.write(`200 sign-ins a second: ${JSON.stringify({ idle, busy, counts })}\n`);
      expect(Object.keys(counts).sort()).toEqual(['401', '429']);
      expect(busy.statuses).toEqual(idle.statuses);
      ratios.push(busy.p95 / idle.p95);
    }
    expect(quantile(ratios, 0.5)).toBeLessThanOrEqual(2);
  });
});

/** Starts sign-in attempts in a separate process. */
function aCrowd(perSecond: number): { stop(): Promise<Record<string, number>> } {
  const order = {
    url: `${setup.platform.urlOf('oauth')}/id/sign-in`,
    form: Object.fromEntries(form),
    cookie,
    perSecond,
  };
  const crowd = fork(join(import.meta.dirname, 'sign-in-crowd.mjs'), [JSON.stringify(order)], { execArgv: [] });
  return {
    stop: async () => {
      const message = once(crowd, 'message');
      crowd.send('stop');
      return ((await message) as [Record<string, number>])[0];
    },
  };
}

const published = async (): Promise<number> => {
  const answer = await fetch(`${setup.platform.urlOf('oauth')}/id/jwks.json`);
  await answer.arrayBuffer();
  return answer.status;
};

describe('the keys that sign', () => {
  it('are rotated under a hundred requests a second without a refusal', async () => {
    const tokens = [(await createHolder(setup, 'session')).token];
    const requests = atRate(100, (n) => requestStatus(setup, 'api', n % 2, tokens[n % tokens.length] ?? ''));
    for (let turn = 0; turn < 3; turn += 1) {
      const { kid } = await rotateSigningKeys(setup.ctx, keyRing(readMasterKeys(setup.masterKey)));
      await until(async () => {
        const answer = await fetch(`${setup.platform.urlOf('oauth')}/id/jwks.json`);
        return ((await answer.json()) as { keys: { kid: string }[] }).keys.some((key) => key.kid === kid);
      });
      await new Promise((resolve) => setTimeout(resolve, 3000));
      await setup.db.query('update signing_keys set signs_from = now() where kid = $1', [kid]);
      await setup.platform.restart('oauth');
      const { token } = await createHolder(setup, 'session');
      expect(keyOf(token)).toBe(kid);
      tokens.push(token);
    }
    await new Promise((resolve) => setTimeout(resolve, 3000));
    expect(countBy(await requests.stop())).toEqual({ [letIn]: requests.sent() });
  });
});
