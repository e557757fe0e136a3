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
import type { Mailbox } from './mailbox.js';
import { openMailbox } from './mailbox.js';
import type { PagesSetup } from './pages-setup.js';
import { authorizeUrl, openPagesSetup, password } from './pages-setup.js';
import type { Page, Visitor } from './form-browser.js';

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

let stage: PagesSetup;
let mailbox: Mailbox;
const lines: string[] = [];
beforeAll(async () => {
  mailbox = await openMailbox();
  stage = await openPagesSetup({
    logger: logTo(lines),
    environment: {
      LENSFORGE_SMTP_URL: mailbox.url,
      LENSFORGE_MAIL_FROM: 'Lensforge <hello@lensforge.example>',
      LENSFORGE_TRUSTED_PROXIES: 'loopback',
    },
  });
});
afterAll(async () => {
  await stage.close();
  await mailbox.close();
});

const pathOf = ({ pathname, search }: URL): string => pathname + search;
let addresses = 0;
const from = (): Visitor => stage.visitor({ address: `198.51.100.${++addresses}` });

describe('signing up', () => {
  it('takes a mail, a button and a handle, and leads back to where it began', async () => {
    const visitor = from();
    const start = `/id/sign-up?return_to=${encodeURIComponent('/id/device')}`;
    const sent = await visitor.submit(await visitor.get(start), { email: 'ada@mail.example', password });
    expect(sent).toMatchObject({ status: 200, title: 'Check your mail · Lensforge' });

    const link = await mailbox.linkTo('ada@mail.example');
    expect(link.origin).toBe(stage.service.url);
    // Whatever looks through mail follows links, and keeps no cookies.
    for (let times = 0; times < 3; times++) expect((await stage.visitor().get(pathOf(link))).status).toBe(200);

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

    const late = stage.visitor();
    const spent = await late.submit(await late.get(pathOf(link)));
    expect(spent).toMatchObject({ status: 400, title: 'Error: This link does not work · Lensforge' });
  });

  it('answers the same for an address that somebody has', async () => {
    const { email } = await stage.person();
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
  ])('says what is wrong beside the field: %s', async (_what, values, field) => {
    const visitor = from();
    const refused = await visitor.submit(await visitor.get('/id/sign-up'), values);
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(new RegExp(`aria-describedby="${field}-fault`));
    expect(refused.text).toMatch(new RegExp(`id="${field}-fault">[A-Z0-9][^<]+\\.<`));
    expect(refused.text).not.toContain(`value="${values.password}"`);
  });

  it('is throttled for an address that does it all day, with the form left as it was', async () => {
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

describe('a handle', () => {
  it.each([
    ['taken', 'person-taken', 409],
    ['too short', 'ab', 400],
    ['in other characters', 'ada lovelace', 400],
    ['markup', '<b>bold</b>', 400],
  ])('is refused beside its field: %s', async (_what, handle, status) => {
    if (status === 409) await stage.person(handle);
    const { email } = await stage.person(null);
    const visitor = from();
    await visitor.signIn(email, password);
    const refused = await visitor.submit(await visitor.get('/id/handle'), { handle });
    expect(refused.status).toBe(status);
    expect(refused.text).toContain('id="handle-fault"');
  });

  it('is chosen once, and needs somebody who is signed in', async () => {
    const { email } = await stage.person();
    const visitor = from();
    expect((await visitor.get('/id/handle')).location).toBe('/id/sign-in?return_to=%2Fid%2Fhandle');
    await visitor.signIn(email, password);
    expect((await visitor.get('/id/handle')).location).toBe('/id/');
  });
});

describe('a password', () => {
  it('is changed by who knows it, and ends every other session', async () => {
    const { email } = await stage.person();
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

  it('is set anew by a link that works once, and ends every session', async () => {
    const { email } = await stage.person();
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

  it('ends the sessions of clients when it is set anew, and offers to revoke the tokens that are left', async () => {
    const { email, user } = await stage.person();
    const accountId = (await stage.ctx.db.findOneByOrFail(User, { id: user.id })).accountId ?? '';
    const order = { kind: 'developer', accountId, userId: user.id, scopes: [], days: 30 } as const;
    const tokens = [await issueToken(stage.ctx, { ...order, label: 'script' })];
    tokens.push(await issueToken(stage.ctx, { ...order, kind: 'service', label: 'bot', days: 90 }));
    const opens = async (): Promise<boolean[]> =>
      (
        await findCredentials(
          stage.ctx.db,
          tokens.map(({ value }) => hashToken(value)),
        )
      ).map(Boolean);
    const { session } = await openSession(stage.ctx, { userId: user.id, kind: 'client' });
    const reset = async (chosen: string): Promise<[Visitor, Page]> => {
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
    expect(await findSessions(stage.ctx.db, [session.id])).toEqual([undefined]);
    expect(await opens()).toEqual([true, true]);
    // The offer is for the browser that has set the password, and for this user.
    const revoke = { form: '/id/password/reset/revoke-tokens' };
    const stranger = from();
    await stranger.get('/id/sign-in');
    const stolen = await stranger.submit(kept, {}, revoke);
    expect(stolen.status).toBe(403);
    const { user: another } = await stage.person();
    expect((await first.submit(kept, { user: another.id }, revoke)).status).toBe(403);
    expect(await opens()).toEqual([true, true]);

    const [visitor, page] = await reset(`${other}, again`);
    const done = await visitor.submit(page, {}, revoke);
    expect(done).toMatchObject({ status: 303, location: '/id/sign-in?notice=reset-revoked' });
    expect(await opens()).toEqual([false, false]);
    expect((await visitor.get(done.location ?? '')).text).toContain('all tokens of programs are revoked');
    expect((await visitor.signIn(email, `${other}, again`)).status).toBe(303);
  });

  it('is sent to the address that somebody has, not to one that only looks like it in small letters', async () => {
    const { email } = await stage.person();
    const lookalike = email.replace('mail', 'MAIL');
    const visitor = from();
    await visitor.submit(await visitor.get('/id/password/forgot'), { email: lookalike });
    await mailbox.linkTo(email);
    expect(mailbox.mails.some(({ to }) => to === lookalike)).toBe(false);
  });

  it('is asked for in the same words whether somebody has the address or not', async () => {
    const { email } = await stage.person();
    const answers = [];
    for (const address of [email, 'stranger@mail.example']) {
      const visitor = from();
      const answer = await visitor.submit(await visitor.get('/id/password/forgot'), { email: address });
      answers.push([answer.status, answer.text.replaceAll(address, ''), Object.keys(answer.headers).sort()]);
    }
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe('a device', () => {
  it('is let in by somebody who is signed in and compares the code', async () => {
    const { email, handle } = await stage.person();
    const { userCode } = await startDeviceGrant(stage.ctx, {
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
  ])('is told on the page what %s allows', async (scope, lines) => {
    const { email } = await stage.person();
    const { userCode } = await startDeviceGrant(stage.ctx, { clientId: 'lensforge-cli', scope });
    const visitor = from();
    await visitor.signIn(email, password);
    const { text } = await visitor.get(`/id/device?user_code=${userCode}`);
    for (const line of lines) expect(text).toContain(line);
    expect(text.match(/<span class="line">/g)).toHaveLength(lines.length);
  });

  it('is denied as well', async () => {
    const { email } = await stage.person();
    const { userCode } = await startDeviceGrant(stage.ctx, { clientId: 'lensforge-cli' });
    const visitor = from();
    await visitor.signIn(email, password);
    const page = await visitor.get(`/id/device?user_code=${userCode.toLowerCase().replace('-', ' ')}`);
    expect(await visitor.submit(page, { decision: 'deny' })).toMatchObject({
      status: 200,
      title: 'You denied the device · Lensforge',
    });
  });

  it('cannot be found by trying codes', async () => {
    const { email } = await stage.person();
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

describe('the account', () => {
  it('shows the programs that act for somebody, and ends them', async () => {
    const { email, user } = await stage.person();
    const visitor = from();
    await visitor.signIn(email, password);
    const { account } = (await findBrowserSession(stage.ctx, visitor.cookies.get('lf_session') ?? '')) ?? {};
    const ctx = { ...stage.ctx, actor: { ...stage.ctx.actor, accountId: account?.id ?? '' } };
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
    await stranger.signIn((await stage.person()).email, password);
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

  it('shows where somebody is signed in, and signs out one or all others', async () => {
    const { email } = await stage.person();
    const [visitor, second, third] = [from(), from(), from()];
    for (const each of [visitor, second, third]) await each.signIn(email, password);
    const page = await visitor.get('/id/');
    expect(page.forms.filter(({ action }) => action === '/id/sessions/end')).toHaveLength(2);
    // The latest stands first: the third.
    expect((await visitor.submit(page, {}, { form: '/id/sessions/end' })).location).toBe('/id/?notice=ended');
    expect((await third.get('/id/')).status).toBe(302);
    expect((await second.get('/id/')).status).toBe(200);
    const others = await visitor.submit(await visitor.get('/id/'), {}, { form: '/id/sessions/end-others' });
    expect(others.location).toBe('/id/?notice=alone');
    expect((await second.get('/id/')).status).toBe(302);
    expect((await visitor.get('/id/')).status).toBe(200);
  });
});

describe('mail', () => {
  it('that cannot be sent is counted and logged, without the link, and nobody is told', async () => {
    mailbox.refuse = true;
    const visitor = from();
    const answer = await visitor.submit(await visitor.get('/id/sign-up'), { email: 'lost@mail.example', password });
    expect(answer.status).toBe(200);
    const line = await until(() => lines.find((each) => each.includes('a mail could not be sent')));
    expect(line).not.toMatch(/token|http|lost@/);
    const metrics = await (await fetch(`${stage.service.url}/metrics`)).text();
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

  it('becomes a line of the log in development, with a link that works', async () => {
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

  it('that is not set up in production is told on the pages that need it', async () => {
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

  it('needs its server and its sender, or neither', async () => {
    await expect(openPagesSetup({ environment: { LENSFORGE_SMTP_URL: 'smtp://127.0.0.1:25' } })).rejects.toThrow(
      'LENSFORGE_MAIL_FROM',
    );
  });
});
