import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PagesSetup, authorizeUrl, openPagesSetup, password } from './pages-setup.js';
import type { Page, FormBrowser } from './form-browser.js';

let setup: PagesSetup;
let client: string;
beforeAll(async () => {
  setup = await openPagesSetup({ environment: { LENSFORGE_TRUSTED_PROXIES: 'loopback' } });
  client = await setup.client();
});
afterAll(() => setup.close());

const tryAt = async (visitor: FormBrowser, path: string, values: Record<string, string>): Promise<Page> =>
  visitor.submit(await visitor.get(path), values);

describe('password guessing', () => {
  it.each([
    ['one address', () => '203.0.113.7'],
    ['fifty addresses', (index: number) => `203.0.113.${100 + (index % 50)}`],
  ])('is limited to ten attempts for an account, from %s', async (_what, addressOf) => {
    const { email } = await setup.person();
    const statuses: number[] = [];
    for (let index = 0; index < 60; index++) {
      const visitor = setup.visitor({ address: addressOf(index) });
      const path = index % 2 === 0 ? '/id/sign-in' : authorizeUrl(client);
      const answer = await tryAt(visitor, path, { email, password: `guess number ${index}` });
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.text).toMatch(/role="alert">\s*Too many attempts to sign in/);
      expect(answer.forms[0]?.values).toMatchObject({ email, password: '' });
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
  });

  it('is limited to thirty attempts for many accounts from one address', async () => {
    const statuses = [];
    for (let index = 0; index < 60; index++) {
      const visitor = setup.visitor({ address: '203.0.113.8' });
      const answer = await tryAt(visitor, '/id/sign-in', {
        email: `account${index}@mail.example`,
        password: 'Summer2026!',
      });
      statuses.push(answer.status);
    }
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(30);
    expect(statuses.at(-1)).toBe(429);
  });

  it('does not lock out a person on a known network', async () => {
    const { email } = await setup.person();
    const home = setup.visitor({ address: '198.51.100.77' });
    expect((await home.signIn(email, password)).status).toBe(303);
    for (let index = 0; index < 15; index++) {
      const stranger = setup.visitor({ address: `203.0.113.${200 + index}` });
      await tryAt(stranger, '/id/sign-in', { email, password: `guess number ${index}` });
    }
    expect((await setup.visitor({ address: '198.51.100.77' }).signIn(email, password)).status).toBe(303);
  });
});

describe('the existence of an account', () => {
  it('is not revealed by the response to a wrong password', async () => {
    const { email } = await setup.person();
    const { email: nameless } = await setup.person(null);
    for (const path of ['/id/sign-in', authorizeUrl(client)]) {
      const answers = [];
      for (const [index, address] of [email, nameless, 'stranger@mail.example'].entries()) {
        const visitor = setup.visitor({ address: `192.0.2.${index + 1}` });
        const page = await tryAt(visitor, path, { email: address, password: 'not it at all' });
        const text = page.text.replaceAll(address, '').replace(/value="1\.\d{13}[^"]+"/g, '');
        answers.push([page.status, text, Object.keys(page.headers).sort()]);
      }
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
    }
  });
});
