import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@lensforge/edge';
import {
  User,
  findBrowserSession,
  findCredentials,
  findSessions,
  hashToken,
  issueToken,
  openSession,
  startDeviceGrant,
} from '@lensforge/identity';
import { until } from '@lensforge/testing';
import { type Mailbox, openMailbox } from './mailbox.js';
import { type PagesSetup, authorizeUrl, openPagesSetup, password } from './pages-setup.js';
import type { Page, FormBrowser } from './form-browser.js';

const other = 'quite another sentence';

function logTo(lines: string[]) {
  const to = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  return createLogger({ service: 'oauth', level: 'info', to: { write: (line: string) => void to.write(line) } });
}

let setup: PagesSetup;
let mailbox: Mailbox;
const lines: string[] = [];
beforeAll(async () => {
  mailbox = await openMailbox();
  setup = await openPagesSetup({
    logger: logTo(lines),
    environment: {
      LENSFORGE_SMTP_URL: mailbox.url,
      LENSFORGE_MAIL_FROM: 'Lensforge <hello@lensforge.example>',
      LENSFORGE_TRUSTED_PROXIES: 'loopback',
    },
  });
});
afterAll(async () => {
  await setup.close();
  await mailbox.close();
});

const pathOf = ({ pathname, search }: URL): string => pathname + search;
let addresses = 0;
const from = (): FormBrowser => setup.visitor({ address: `198.51.100.${++addresses}` });

describe('sign-up', () => {
  it('confirms the email, asks for a handle and returns to the first page', async () => {
    const visitor = from();
    const start = `/id/sign-up?return_to=${encodeURIComponent('/id/device')}`;
    const sent = await visitor.submit(await visitor.get(start), { email: 'ada@mail.example', password });
    expect(sent).toMatchObject({ status: 200, title: 'Check your mail · Lensforge' });

    const link = await mailbox.linkTo('ada@mail.example');
    expect(link.origin).toBe(setup.service.url);
    // Mail scanners follow links and keep no cookies.
    for (let times = 0; times < 3; times++) expect((await setup.visitor().get(pathOf(link))).status).toBe(200);

    const confirmed = await visitor.submit(await visitor.get(pathOf(link)));
    expect(confirmed.status).toBe(303);
    const signIn = await visitor.get(confirmed.location ?? '');
    expect(signIn.text).toContain('Your email is confirmed.');
    const signedIn = await visitor.submit(signIn, { email: 'ada@mail.example', password });
    const choosing = await visitor.get(signedIn.location ?? '');
    expect(choosing.title).toBe('Choose your handle · Lensforge');
    const done = await visitor.submit(choosing, { handle: '@Ada_L', displayName: 'Ada' });
    expect(done).toMatchObject({ status: 303, location: '/id/device' });
    expect((await visitor.get('/id/')).text).toContain('@ada_l');

    const late = setup.visitor();
    const spent = await late.submit(await late.get(pathOf(link)));
    expect(spent).toMatchObject({ status: 400, title: 'Error: This link does not work · Lensforge' });
  });

  it('responds the same for an address that is already registered', async () => {
    const { email } = await setup.person();
    const answers = [];
    for (const address of [email, 'nobody-yet@mail.example']) {
      const visitor = from();
      const answer = await visitor.submit(await visitor.get('/id/sign-up'), { email: address, password });
      answers.push([answer.status, answer.text.replaceAll(address, ''), Object.keys(answer.headers).sort()]);
    }
    expect(answers[0]).toEqual(answers[1]);
    await mailbox.linkTo('nobody-yet@mail.example');
    expect(mailbox.mails.filter(({ to }) => to === email)).toHaveLength(0);
  });

  it.each([
    ['no address', { email: 'nobody', password }, 'email'],
    ['a short password', { email: 'x@mail.example', password: 'short' }, 'password'],
    ['a password that everybody has', { email: 'x@mail.example', password: 'password1' }, 'password'],
  ])('shows an error beside the field for %s', async (_what, values, field) => {
    const visitor = from();
    const refused = await visitor.submit(await visitor.get('/id/sign-up'), values);
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(new RegExp(`aria-describedby="${field}-fault`));
    expect(refused.text).toMatch(new RegExp(`id="${field}-fault">[A-Z0-9][^<]+\\.<`));
    expect(refused.text).not.toContain(`value="${values.password}"`);
  });

  it('throttles an address and keeps the values of the form', async () => {
    const visitor = from();
    let answer = await visitor.get('/id/sign-up');
    for (let times = 0; times < 11; times++) {
      answer = await visitor.submit(await visitor.get('/id/sign-up'), { email: `many${times}@mail.example`, password });
    }
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.forms[0]?.values).toMatchObject({ email: 'many10@mail.example' });
  });
});

describe('choosing a handle', () => {
  it.each([
    ['taken', 'person-taken', 409],
    ['too short', 'ab', 400],
    ['in other characters', 'ada lovelace', 400],
    ['markup', '<b>bold</b>', 400],
  ])('shows an error beside the field for %s', async (_what, handle, status) => {
    if (status === 409) await setup.person(handle);
    const { email } = await setup.person(null);
    const visitor = from();
    await visitor.signIn(email, password);
    const refused = await visitor.submit(await visitor.get('/id/handle'), { handle });
    expect(refused.status).toBe(status);
    expect(refused.text).toContain('id="handle-fault"');
  });

  it('works once and needs a signed-in user', async () => {
    const { email } = await setup.person();
    const visitor = from();
    expect((await visitor.get('/id/handle')).location).toBe('/id/sign-in?return_to=%2Fid%2Fhandle');
    await visitor.signIn(email, password);
    expect((await visitor.get('/id/handle')).location).toBe('/id/');
  });
});

describe('a password page', () => {
  it('changes the password with the current one and ends all other sessions', async () => {
    const { email } = await setup.person();
    const [visitor, elsewhere] = [from(), from()];
    await visitor.signIn(email, password);
    await elsewhere.signIn(email, password);
    const wrong = await visitor.submit(await visitor.get('/id/password'), { current: 'not it', password: other });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('id="current-fault"');
    const done = await visitor.submit(wrong, { current: password, password: other });
    expect(done).toMatchObject({ status: 303, location: '/id/?notice=password' });
    expect((await visitor.get('/id/')).status).toBe(200);
    expect((await elsewhere.get('/id/')).status).toBe(302);
    expect((await from().signIn(email, password)).status).toBe(401);
    await until(() => mailbox.mails.find(({ to, text }) => to === email && text.includes('was changed just now')));
  });

  it('resets the password by a link that works once and ends all sessions', async () => {
    const { email } = await setup.person();
    const [visitor, elsewhere] = [from(), from()];
    await elsewhere.signIn(email, password);
    const sent = await visitor.submit(await visitor.get('/id/password/forgot'), { email });
    expect(sent).toMatchObject({ status: 200, title: 'Check your mail · Lensforge' });
    const path = pathOf(await mailbox.linkTo(email));
    const weak = await visitor.submit(await visitor.get(path), { password: 'password' });
    expect(weak.status).toBe(400);
    expect(weak.text).toContain('id="password-fault"');
    const done = await visitor.submit(weak, { password: other });
    expect(done).toMatchObject({ status: 303, location: '/id/sign-in?notice=reset' });
    expect((await elsewhere.get('/id/')).status).toBe(302);
    expect((await visitor.signIn(email, other)).status).toBe(303);
    const late = from();
    const spent = await late.submit(await late.get(path), { password });
    expect(spent).toMatchObject({ status: 400, title: 'Error: This link does not work · Lensforge' });
  });

  it('ends the sessions of clients after a reset and offers to revoke the remaining tokens', async () => {
    const { email, user } = await setup.person();
    const accountId = (await setup.ctx.db.findOneByOrFail(User, { id: user.id })).accountId ?? '';
    const order = { kind: 'developer', accountId, userId: user.id, scopes: [], days: 30 } as const;
    const tokens = [await issueToken(setup.ctx, { ...order, label: 'script' })];
    tokens.push(await issueToken(setup.ctx, { ...order, kind: 'service', label: 'bot', days: 90 }));
    const opens = async (): Promise<boolean[]> =>
      (
        await findCredentials(
          setup.ctx.db,
          tokens.map(({ value }) => hashToken(value)),
        )
      ).map(Boolean);
    const { session } = await openSession(setup.ctx, { userId: user.id, kind: 'client' });
    const reset = async (chosen: string): Promise<[FormBrowser, Page]> => {
      const visitor = from();
      const links = (): string[] =>
        mailbox.mails.flatMap(({ to, text }) => (to === email ? (/\/id\/password\/reset\?\S+/.exec(text) ?? []) : []));
      const before = links().length;
      await visitor.submit(await visitor.get('/id/password/forgot'), { email });
      const path = await until(() => links()[before]);
      return [visitor, await visitor.submit(await visitor.get(path), { password: chosen })];
    };

    const [first, kept] = await reset(other);
    expect(kept).toMatchObject({ status: 200, title: 'Your new password is set · Lensforge' });
    expect(kept.text).toContain('2 programs still have tokens to act for you.');
    expect(await findSessions(setup.ctx.db, [session.id])).toEqual([undefined]);
    expect(await opens()).toEqual([true, true]);
    // Only the browser that has set the password can use the offer, and only for this user.
    const revoke = { form: '/id/password/reset/revoke-tokens' };
    const stranger = from();
    await stranger.get('/id/sign-in');
    const stolen = await stranger.submit(kept, {}, revoke);
    expect(stolen.status).toBe(403);
    const { user: another } = await setup.person();
    expect((await first.submit(kept, { user: another.id }, revoke)).status).toBe(403);
    expect(await opens()).toEqual([true, true]);

    const [visitor, page] = await reset(`${other}, again`);
    const done = await visitor.submit(page, {}, revoke);
    expect(done).toMatchObject({ status: 303, location: '/id/sign-in?notice=reset-revoked' });
    expect(await opens()).toEqual([false, false]);
    expect((await visitor.get(done.location ?? '')).text).toContain('all tokens of programs are revoked');
    expect((await visitor.signIn(email, `${other}, again`)).status).toBe(303);
  });

  it('sends a reset link to the stored address, not to one that only matches in lower case', async () => {
    const { email } = await setup.person();
    const lookalike = email.replace('mail', 'MAIL');
    const visitor = from();
    await visitor.submit(await visitor.get('/id/password/forgot'), { email: lookalike });
    await mailbox.linkTo(email);
    expect(mailbox.mails.some(({ to }) => to === lookalike)).toBe(false);
  });

  it('responds to a reset request the same with and without an account', async () => {
    const { email } = await setup.person();
    const answers = [];
    for (const address of [email, 'stranger@mail.example']) {
      const visitor = from();
      const answer = await visitor.submit(await visitor.get('/id/password/forgot'), { email: address });
      answers.push([answer.status, answer.text.replaceAll(address, ''), Object.keys(answer.headers).sort()]);
    }
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe('the device page', () => {
  it('approves a device for a signed-in user who compares the code', async () => {
    const { email, handle } = await setup.person();
    const { userCode } = await startDeviceGrant(setup.ctx, {
      clientId: 'lensforge-cli',
      label: 'build machine',
      days: 7,
      scope: 'lenses:read',
    });
    const visitor = from();
    const { location = '' } = await visitor.get(`/id/device?user_code=${userCode}`);
    const signedIn = await visitor.submit(await visitor.get(location), { email, password });
    const page = await visitor.get(signedIn.location ?? '');
    for (const shown of [userCode, 'Lensforge CLI', 'build machine', '7 days', `@${handle}`, 'read lenses']) {
      expect(page.text).toContain(shown);
    }
    expect(page.text).not.toContain('connectors');
    const done = await visitor.submit(page, { decision: 'approve' });
    expect(done).toMatchObject({ status: 200, title: 'Your device is connected · Lensforge' });
    const late = await visitor.submit(page, { decision: 'deny' });
    expect(late.status).toBe(404);
    const wrong = await visitor.get('/id/device?user_code=BBBB-BBBB');
    expect(wrong).toMatchObject({ status: 404 });
    expect(wrong.text).toContain('id="user_code-fault"');
  });

  it.each([
    ['connectors:write', ['create, rotate and remove your connectors', 'see your connectors', 'your provider keys']],
    ['tokens:read', ['see your tokens, provider keys, credits and audit log']],
    ['lenses:read', ['read lenses and run them, which can cost credits']],
  ])('lists what %s allows', async (scope, lines) => {
    const { email } = await setup.person();
    const { userCode } = await startDeviceGrant(setup.ctx, { clientId: 'lensforge-cli', scope });
    const visitor = from();
    await visitor.signIn(email, password);
    const { text } = await visitor.get(`/id/device?user_code=${userCode}`);
    for (const line of lines) expect(text).toContain(line);
    expect(text.match(/<span class="line">/g)).toHaveLength(lines.length);
  });

  it('denies a device', async () => {
    const { email } = await setup.person();
    const { userCode } = await startDeviceGrant(setup.ctx, { clientId: 'lensforge-cli' });
    const visitor = from();
    await visitor.signIn(email, password);
    const page = await visitor.get(`/id/device?user_code=${userCode.toLowerCase().replace('-', ' ')}`);
    expect(await visitor.submit(page, { decision: 'deny' })).toMatchObject({
      status: 200,
      title: 'You denied the device · Lensforge',
    });
  });

  it('limits guesses of codes', async () => {
    const { email } = await setup.person();
    const visitor = from();
    await visitor.signIn(email, password);
    const statuses = [];
    for (let times = 0; times < 40; times++) {
      statuses.push((await visitor.get(`/id/device?user_code=BBBB-BBB${'BCDFGHJK'.charAt(times % 8)}`)).status);
    }
    expect(statuses[0]).toBe(404);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('the account page', () => {
  it('lists and revokes the tokens of programs', async () => {
    const { email, user } = await setup.person();
    const visitor = from();
    await visitor.signIn(email, password);
    const { account } = (await findBrowserSession(setup.ctx, visitor.cookies.get('lf_session') ?? '')) ?? {};
    const ctx = { ...setup.ctx, actor: { ...setup.ctx.actor, accountId: account?.id ?? '' } };
    const { token } = await issueToken(ctx, {
      kind: 'developer',
      days: 30,
      accountId: account?.id ?? '',
      userId: user.id,
      label: 'Cartographer',
      scopes: [],
    });
    const page = await visitor.get('/id/');
    expect(page.text).toContain('Cartographer');
    expect(page.text).toContain(token.prefix);
    expect(page.text).toMatch(/never used · until <time datetime=/);
    expect(page.text).not.toContain('&lt;');

    const stranger = from();
    await stranger.signIn((await setup.person()).email, password);
    const theirs = await stranger.get('/id/');
    expect(theirs.text).not.toContain('Cartographer');

    const done = await visitor.submit(page, {}, { form: '/id/tokens/revoke' });
    expect(done.location).toBe('/id/?notice=revoked');
    expect((await visitor.get('/id/')).text).not.toContain('Cartographer');

    const more = { kind: 'developer' as const, days: 30, accountId: account?.id ?? '', userId: user.id, scopes: [] };
    for (const label of ['Plotter', 'Globe']) await issueToken(ctx, { ...more, label });
    const all = await visitor.submit(await visitor.get('/id/'), {}, { form: '/id/tokens/revoke-all' });
    expect(all.location).toBe('/id/?notice=all-revoked');
    expect((await visitor.get('/id/')).text).not.toMatch(/Plotter|Globe/);
  });

  it('lists sessions and ends one or all others', async () => {
    const { email } = await setup.person();
    const [visitor, second, third] = [from(), from(), from()];
    for (const each of [visitor, second, third]) await each.signIn(email, password);
    const page = await visitor.get('/id/');
    expect(page.forms.filter(({ action }) => action === '/id/sessions/end')).toHaveLength(2);
    // The newest is first: the third.
    expect((await visitor.submit(page, {}, { form: '/id/sessions/end' })).location).toBe('/id/?notice=ended');
    expect((await third.get('/id/')).status).toBe(302);
    expect((await second.get('/id/')).status).toBe(200);
    const others = await visitor.submit(await visitor.get('/id/'), {}, { form: '/id/sessions/end-others' });
    expect(others.location).toBe('/id/?notice=alone');
    expect((await second.get('/id/')).status).toBe(302);
    expect((await visitor.get('/id/')).status).toBe(200);
  });
});

describe('the mailer', () => {
  it('counts and logs a failed mail without its link, and the page does not show the failure', async () => {
    mailbox.refuse = true;
    const visitor = from();
    const answer = await visitor.submit(await visitor.get('/id/sign-up'), { email: 'lost@mail.example', password });
    expect(answer.status).toBe(200);
    const line = await until(() => lines.find((each) => each.includes('a mail could not be sent')));
    expect(line).not.toMatch(/token|http|lost@/);
    const metrics = await (await fetch(`${setup.service.url}/metrics`)).text();
    expect(metrics).toMatch(/lensforge_mails_total\{outcome="failed",service="oauth"\} 1/);
    expect(metrics).toMatch(/lensforge_mails_total\{outcome="sent",service="oauth"\} \d/);
    mailbox.refuse = false;
  });

  it('keeps links, passwords and cookies out of the log', () => {
    const log = lines.join('');
    expect(log).toContain('"route":"/id/sign-up/confirm"');
    expect(log).not.toMatch(/[0-9a-f]{64}/);
    expect(log).not.toContain(password);
    expect(log).not.toMatch(/@mail\.example/);
  });

  it('logs working links in development without a mail server', async () => {
    const said: string[] = [];
    const own = await openPagesSetup({ logger: logTo(said), environment: { NODE_ENV: 'development' } });
    try {
      const visitor = own.visitor();
      const asked = await visitor.submit(await visitor.get('/id/sign-up'), { email: 'dev@mail.example', password });
      const line = await until(() => said.find((each) => each.includes('/id/sign-up/confirm?token=')));
      expect(asked).toMatchObject({ status: 200, title: 'No mail was sent · Lensforge' });
      expect(asked.text).toContain('This service has no mail server, so nothing was sent to');
      expect(asked.text).not.toMatch(/We are sending|We sent|token=/);
      const forgot = await visitor.submit(await visitor.get('/id/password/forgot'), { email: 'dev@mail.example' });
      expect(forgot).toMatchObject({ status: 200, title: 'No mail was sent · Lensforge' });
      const [link = ''] = /http:\/\/[^\s"]+/.exec(line) ?? [];
      expect((await visitor.submit(await visitor.get(pathOf(new URL(link))))).status).toBe(303);
    } finally {
      await own.close();
    }
  });

  it('is reported as not configured on the pages that need it in production', async () => {
    const own = await openPagesSetup({
      environment: { NODE_ENV: 'production', LENSFORGE_PUBLIC_OAUTH_URL: 'https://id.example' },
    });
    try {
      for (const path of ['/id/sign-up', '/id/password/forgot']) {
        const page = await own.visitor().get(path);
        expect(page.status).toBe(503);
        expect(page.text).toContain('Mail is not set up on this service.');
        expect((await own.visitor().post(path, { email: 'x@mail.example', password })).status).toBe(503);
      }
      expect((await own.visitor().get('/id/sign-in')).status).toBe(200);
      expect((await own.visitor().get(authorizeUrl('none'))).status).toBe(400);
    } finally {
      await own.close();
    }
  });

  it('requires both the server and the sender, or neither', async () => {
    await expect(openPagesSetup({ environment: { LENSFORGE_SMTP_URL: 'smtp://127.0.0.1:25' } })).rejects.toThrow(
      'LENSFORGE_MAIL_FROM',
    );
  });
});
