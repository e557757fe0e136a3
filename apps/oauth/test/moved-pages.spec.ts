import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PagesSetup, openPagesSetup, password } from './pages-setup.js';

const community = '019a0000-0000-7000-8000-000000000001';

describe('pages that are in the console', () => {
  let setup: PagesSetup;
  beforeAll(async () => {
    setup = await openPagesSetup({ environment: { LENSFORGE_PUBLIC_API_URL: 'https://api.example.com/' } });
  });
  afterAll(() => setup.close());

  it.each([
    ['/id/tokens', '/account?tab=tokens'],
    ['/id/tokens/new?kind=developer', '/account?tab=tokens'],
    ['/id/connectors', '/account?tab=tokens'],
    ['/id/keys', '/account?tab=keys'],
    ['/id/communities', '/account?tab=communities'],
    [`/id/communities/join?community=${community}`, `/account?tab=communities&community=${community}`],
    ['/id/communities/join?community=%26a%3Db', '/account?tab=communities&community=%26a%3Db'],
    ['/id/webhooks', '/webhooks'],
  ])('%s leads to %s', async (path, to) => {
    const { status, location } = await setup.visitor().get(path);
    expect([status, location]).toEqual([302, `https://api.example.com/console${to}`]);
  });

  it('are a link on the account page of a person with a handle', async () => {
    const visitor = setup.visitor();
    await visitor.signIn((await setup.person()).email, password);
    expect((await visitor.get('/id/')).text).toContain('href="https://api.example.com/console/account?tab=tokens"');
    const nameless = setup.visitor();
    await nameless.signIn((await setup.person(null)).email, password);
    expect((await nameless.get('/id/')).text).not.toContain('/console/');
  });
});

describe('without an address of the console', () => {
  it('they do not exist', async () => {
    const setup = await openPagesSetup();
    try {
      expect((await setup.visitor().get('/id/tokens')).status).toBe(404);
    } finally {
      await setup.close();
    }
  });
});
