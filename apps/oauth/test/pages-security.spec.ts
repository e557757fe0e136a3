import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { User, stepAt, totpCode } from '@lensforge/identity';
import { findChromium, openBrowser } from '@lensforge/testing';
import type { Browser, Page as BrowserPage } from 'playwright-core';
import type { FormBrowser, Page } from './form-browser.js';
import { type PagesSetup, authorizeUrl, openPagesSetup, password } from './pages-setup.js';

const executable = findChromium(process.env);
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const halfMinute = 30_000;

let setup: PagesSetup;
let now = new Date('2031-05-06T07:08:09Z');
beforeAll(async () => {
  setup = await openPagesSetup({ environment: { LENSFORGE_TRUSTED_PROXIES: 'loopback' }, clock: () => now });
});
afterAll(() => setup.close());

let addresses = 0;
const from = (): FormBrowser => setup.visitor({ address: `203.0.113.${++addresses}` });

/** Lets half a minute pass, after which an app shows another code. */
const wait = (): void => {
  now = new Date(now.getTime() + halfMinute);
};

function decoded(text: string): Buffer {
  const bits = [...text.replaceAll(' ', '')]
    .map((each) => alphabet.indexOf(each).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

interface App {
  code: () => string;
  recoveryCodes: string[];
}

const codesOn = ({ text }: Page): string[] =>
  [...text.matchAll(/<li>([A-Z2-7]{4}(?:-[A-Z2-7]{4}){3})<\/li>/g)].map(([, code = '']) => code);

async function withApp(visitor: FormBrowser): Promise<App> {
  const asked = await visitor.submit(await visitor.get('/id/security/app'), { password }, { form: '/id/security' });
  const secret = decoded(/aria-labelledby="key">([A-Z2-7 ]+)</.exec(asked.text)?.[1] ?? '');
  expect(secret).toHaveLength(20);
  expect(asked.text).toContain('<svg class="qr"');
  const code = () => totpCode(secret, stepAt(now));
  const done = await visitor.submit(asked, { code: code() }, { form: '/id/security' });
  expect(done).toMatchObject({ status: 200, title: 'Your recovery codes · Lensforge' });
  wait();
  return { code, recoveryCodes: codesOn(done) };
}

async function personWithApp() {
  const person = await setup.person();
  const visitor = from();
  await visitor.signIn(person.email, password);
  return { ...person, visitor, app: await withApp(visitor) };
}

const isSignedIn = async (visitor: FormBrowser): Promise<boolean> => (await visitor.get('/id/')).status === 200;

describe('a second factor', () => {
  it('is asked for after the password, and only a code of the app opens a session', async () => {
    const { email, app, user } = await personWithApp();
    const visitor = from();
    const asked = await visitor.signIn(email, password);
    expect(asked).toMatchObject({ status: 200, title: 'Enter your code · Lensforge' });
    expect(await isSignedIn(visitor)).toBe(false);

    const wrong = await visitor.submit(asked, { code: '000000' });
    expect(wrong).toMatchObject({ status: 401, title: 'Error: Enter your code · Lensforge' });
    expect(wrong.text).toContain('It is not valid');
    expect(await isSignedIn(visitor)).toBe(false);

    const right = await visitor.submit(wrong, { code: app.code() });
    expect(right).toMatchObject({ status: 303, location: '/id/' });
    expect(await isSignedIn(visitor)).toBe(true);
    const { accountId } = await setup.ctx.db.findOneByOrFail(User, { id: user.id });
    const { items } = await listAudit(setup.ctx, { accountId: accountId ?? '', limit: 10 });
    expect(items.map(({ action }) => action).slice(0, 4)).toEqual([
      'user.signed_in',
      'user.sign_in_failed',
      'second_factor.added',
      'user.signed_in',
    ]);
  });

  it('accepts each code once', async () => {
    const { email, app } = await personWithApp();
    const [one, other] = [from(), from()];
    const [first, second] = [await one.signIn(email, password), await other.signIn(email, password)];
    const code = app.code();
    const results = await Promise.all([one.submit(first, { code }), other.submit(second, { code })]);
    expect(results.map(({ status }) => status).sort()).toEqual([303, 401]);
  });

  it('accepts a recovery code once, however it is typed', async () => {
    const { email, app } = await personWithApp();
    expect(new Set(app.recoveryCodes).size).toBe(10);
    const [code = ''] = app.recoveryCodes;
    const visitor = from();
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ')} `;
    expect(await visitor.submit(await visitor.signIn(email, password), { code: typed })).toMatchObject({ status: 303 });
    expect((await visitor.get('/id/security')).text).toMatch(/9 of your recovery codes are\s+left/);
    const again = from();
    expect(await again.submit(await again.signIn(email, password), { code })).toMatchObject({ status: 401 });
  });

  it('needs the proof that this browser has given the password', async () => {
    const { email, app, user } = await personWithApp();
    const stranger = from();
    const { cookies } = stranger;
    const asked = await stranger.get('/id/sign-in');
    const forged = await stranger.submit(asked, { user: user.id, code: app.code() }, { form: '/id/sign-in' });
    expect(forged.status).toBe(400);
    const sent = await stranger.post('/id/sign-in/code', {
      ...asked.forms[0]?.values,
      user: user.id,
      code: app.code(),
    });
    expect(sent).toMatchObject({ status: 403, title: 'Error: Sign in · Lensforge' });
    expect(cookies.has('lf_session')).toBe(false);

    const owner = from();
    const theirs = await owner.signIn(email, password);
    const stolen = await stranger.post('/id/sign-in/code', { ...theirs.forms[0]?.values, code: app.code() });
    expect(stolen.status).toBe(403);
    const other = await setup.person();
    const swapped = await owner.submit(theirs, { user: other.user.id, code: app.code() });
    expect(swapped.status).toBe(403);
  });

  it('throttles wrong codes of all browsers together', async () => {
    const { email, app } = await personWithApp();
    let last: Page | undefined;
    for (let times = 0; times < 11 && last?.status !== 429; times++) {
      const visitor = from();
      last = await visitor.submit(await visitor.signIn(email, password), { code: '000000' });
    }
    expect(last?.status).toBe(429);
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    const visitor = from();
    const right = await visitor.submit(await visitor.signIn(email, password), { code: app.code() });
    expect(right.status).toBe(429);
  });

  it('leads back to a program that asks for access', async () => {
    const { email, app } = await personWithApp();
    const visitor = from();
    const url = authorizeUrl(await setup.client(), { prompt: 'login' });
    const values = { email, password, decision: 'allow' };
    const asked = await visitor.submit(await visitor.get(url), values, { form: '/oauth/authorize' });
    expect(asked.title).toBe('Enter your code · Lensforge');
    const done = await visitor.submit(asked, { code: app.code() });
    const consent = await visitor.get(done.location ?? '');
    expect(consent.text).toContain('Continue as @');
    const allowed = await visitor.submit(consent, { decision: 'allow' }, { form: '/oauth/authorize' });
    expect(allowed.location).toMatch(/^https:\/\/tool\.example\/cb\?code=lf_mcp_/);
  });

  it('is set up with the password, and changed with a code alone', async () => {
    const { email } = await setup.person();
    const visitor = from();
    await visitor.signIn(email, password);
    const form = '/id/security';
    const refused = await visitor.submit(await visitor.get('/id/security/app'), { password: 'wrong' }, { form });
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.text).toContain('This is not your password');
    const asked = await visitor.submit(await visitor.get('/id/security/app'), { password }, { form });
    const unconfirmed = await visitor.submit(asked, { code: '000000' }, { form });
    expect(unconfirmed.status).toBe(400);
    expect(unconfirmed.text).toContain('<svg class="qr"');
    const without = from();
    expect((await without.signIn(email, password)).status).toBe(303);

    const app = await withApp(visitor);
    const again = await visitor.submit(await visitor.get('/id/security/app'), { password }, { form });
    expect(again.status).toBe(409);
    const replaced = await visitor.submit(
      await visitor.get('/id/security/recovery-codes'),
      { code: app.recoveryCodes[0] ?? '' },
      { form },
    );
    expect(codesOn(replaced).filter((code) => app.recoveryCodes.includes(code))).toEqual([]);
    const off = '/id/security/app/remove';
    expect((await visitor.submit(await visitor.get(off), { code: '000000' }, { form })).status).toBe(400);
    expect(await visitor.submit(await visitor.get(off), { code: app.code() }, { form })).toMatchObject({ status: 303 });
    expect((await from().signIn(email, password)).status).toBe(303);
  });

  it('stores no secret and no recovery code in plain text', async () => {
    const { user, app } = await personWithApp();
    const [stored] = await setup.ctx.db.query<{ text: string }[]>(
      `select (select string_agg(encode(code_hash, 'escape'), ' ') from recovery_codes where user_id = $1)
              || encode(secret, 'escape') as text from second_factors where user_id = $1`,
      [user.id],
    );
    for (const code of app.recoveryCodes) {
      expect(stored?.text).not.toContain(code);
      expect(stored?.text).not.toContain(code.replaceAll('-', ''));
    }
  });
});

(executable ? describe : describe.skip)('passkeys', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(executable ?? '');
  });
  afterAll(() => browser.close());

  /** A page in a browser whose device has a fingerprint reader. */
  async function withDevice(): Promise<{
    page: BrowserPage;
    faults: string[];
    home: string;
    stop: () => Promise<void>;
  }> {
    const context = await browser.newContext();
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      const isFault = ['error', 'warning'].includes(message.type());
      if (isFault && !/status of 4\d\d/.test(message.text())) faults.push(message.text());
    });
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const home = setup.service.url.replace('127.0.0.1', 'localhost');
    return { page, faults, home, stop: () => context.close() };
  }

  it('sign in without password and code, and not after they are removed', async () => {
    const { email, app } = await personWithApp();
    const { page, faults, home, stop } = await withDevice();
    await page.goto(`${home}/id/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Code').fill(app.code());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.goto(`${home}/id/security/passkeys/new`);
    await page.getByLabel('Name').fill('My <phone>');
    await page.getByLabel('Your password').fill('wrong');
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.getByText('This is not your password').waitFor();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.getByText('The passkey is added').waitFor();
    await page.getByRole('heading', { name: 'My <phone>' }).waitFor();

    const signOut = async (): Promise<void> => {
      await page.goto(`${home}/id/`);
      await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
      await page.getByText('You are signed out').waitFor();
    };
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();

    await page.goto(`${home}/id/security`);
    await page.getByText(/· used/).waitFor();
    await page.getByRole('link', { name: 'Remove' }).click();
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The passkey is removed').waitFor();
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey is not known here').waitFor();
    expect(faults).toEqual([]);
    await stop();
  });

  it('are refused when their form is sent twice, or by another browser', async () => {
    const { email } = await setup.person();
    const { page, home, stop } = await withDevice();
    await page.goto(`${home}/id/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.goto(`${home}/id/security/passkeys/new`);
    await page.getByLabel('Name').fill('Laptop');
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.getByText('The passkey is added').waitFor();
    await page.context().clearCookies();

    await page.goto(`${home}/id/sign-in`);
    const cookies = await page.context().cookies();
    let body = '';
    page.on('request', (request) => {
      if (request.url().endsWith('/id/sign-in/passkey')) body = request.postData() ?? '';
    });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    const { host, origin } = new URL(home);
    const visitor = setup.visitor({ address: '203.0.113.250', host });
    expect((await visitor.post('/id/sign-in/passkey', body, { origin })).status).toBe(403);
    for (const { name, value } of cookies) visitor.cookies.set(name, value);
    const replayed = await visitor.post('/id/sign-in/passkey', body, { origin });
    expect(replayed.status).toBe(409);
    expect(replayed.text).toContain('This form has been sent before');
    await stop();
  });

  it('need a host name: at an IP address the pages offer none', async () => {
    const visitor = from();
    expect((await visitor.get('/id/sign-in')).text).not.toContain('data-passkey');
    const { email } = await setup.person();
    await visitor.signIn(email, password);
    expect((await visitor.get('/id/security')).text).toContain('Browsers allow no passkeys at this address');
    expect((await visitor.get('/id/security/passkeys/new')).status).toBe(409);
  });
});
