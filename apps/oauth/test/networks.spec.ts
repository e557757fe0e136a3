import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postForm, postJson } from './protocol-client.js';
import { type PagesSetup, openPagesSetup } from './pages-setup.js';

let setup: PagesSetup;
beforeAll(async () => {
  setup = await openPagesSetup({
    environment: {
      LENSFORGE_RATE_REGISTER_PER_MINUTE: '3',
      LENSFORGE_RATE_TOKEN_PER_MINUTE: '3',
      LENSFORGE_RATE_SIGN_IN_PER_MINUTE: '3',
    },
  });
});
afterAll(() => setup.close());

let next = 0;
/** Two addresses of one IPv6 /64, and one of the next. */
function anIpv6Network(): { one: string; other: string; beyond: string } {
  next += 2;
  const net = (n: number) => `2001:db8:77:${n.toString(16)}`;
  return { one: `${net(next)}::1`, other: `${net(next)}:1:2:3:4`, beyond: `${net(next + 1)}::1` };
}

const register = async (address: string) => {
  const body = { client_name: 'x', redirect_uris: ['https://tool.example/cb'] };
  return (await postJson(`${setup.service.url}/oauth/register`, body, { 'x-forwarded-for': address })).status;
};
const anonymousToken = async (address: string) => {
  const form = { grant_type: 'urn:lensforge:grant-type:anonymous' };
  return (await postForm(`${setup.service.url}/id/token`, form, { 'x-forwarded-for': address })).status;
};
const signIn = async (address: string) => {
  const visitor = setup.visitor({ address });
  const page = await visitor.get('/id/sign-in');
  return (await visitor.submit(page, { email: 'nobody@mail.example', password: 'not the right one' })).status;
};

describe('the rate limit of an IPv6 /64', () => {
  it.each([
    ['registrations', register, 201],
    ['tokens', anonymousToken, 200],
    ['sign-ins', signIn, 401],
  ])('returns 429 to the fourth request for %s in a minute, and not to the next network', async (_, ask, usual) => {
    const { one, other, beyond } = anIpv6Network();
    expect([await ask(one), await ask(other), await ask(one)]).toEqual([usual, usual, usual]);
    expect(await ask(other)).toBe(429);
    expect(await ask(beyond)).toBe(usual);
  });
});
