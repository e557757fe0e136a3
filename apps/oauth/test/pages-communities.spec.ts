import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Account } from '@lensforge/identity';
import type { FormBrowser, Page } from './form-browser.js';
import { type PagesSetup, openPagesSetup, password } from './pages-setup.js';

let setup: PagesSetup;
let ada: FormBrowser;
let ben: FormBrowser;
let benId: string;
/** The page of the community of Ada. */
let bakers: string;

async function signedIn(handle: string): Promise<{ browser: FormBrowser; accountId: string }> {
  const { email } = await setup.person(handle);
  const browser = setup.visitor();
  await browser.signIn(email, password);
  return { browser, accountId: (await setup.ctx.db.findOneByOrFail(Account, { handle })).id };
}

beforeAll(async () => {
  setup = await openPagesSetup({ environment: { LENSFORGE_COMMUNITIES_PER_ACCOUNT: '2' } });
  ({ browser: ada } = await signedIn('ada'));
  ({ browser: ben, accountId: benId } = await signedIn('ben'));
  const list = await ada.get('/id/communities');
  const created = await ada.submit(list, { handle: '@Bakers', displayName: 'The bakers' }, { form: '/id/communities' });
  bakers = String(created.location).replace('&notice=created', '');
});
afterAll(() => setup.close());

const communityId = (): string => new URL(bakers, 'http://x').searchParams.get('community') ?? '';
const memberPath = (accountId: string): string =>
  `/id/communities/member?community=${communityId()}&account=${accountId}`;
const secrets = ({ text }: Page): string[] =>
  [...text.matchAll(/<code class="secret mono">([^<]*)<\/code>/g)].map(([, value]) =>
    String(value).replaceAll('&amp;', '&'),
  );

async function invite(role: string): Promise<{ link: string; value: string }> {
  const page = await ada.submit(await ada.get(bakers), { role, ttl: '3' }, { form: '/id/communities/invite' });
  const [link = '', value = ''] = secrets(page);
  return { link: link.replace(setup.service.url, ''), value };
}

describe('the pages of communities', () => {
  it('list and create communities, and refuse a taken handle and one too many', async () => {
    expect((await ada.get('/id/communities')).text).toMatch(/The bakers[^]*@bakers · owner · one member/);
    const list = await ada.get('/id/communities');
    const create = (handle: string) => ada.submit(list, { handle, displayName: 'More' }, { form: '/id/communities' });
    expect(await create('bakers')).toMatchObject({ status: 409 });
    expect((await create('b')).text).toMatch(/role="alert">[^<]*handle/i);
    expect((await create('second')).status).toBe(303);
    const tooMany = await create('third');
    expect([tooMany.status, tooMany.text]).toEqual([409, expect.stringContaining('communities of its own')]);
  });

  it('invite a person, who joins once with the value that is shown once', async () => {
    const { link, value } = await invite('member');
    expect(value).toMatch(/^lf_inv_[0-9a-f]{64}$/);
    expect((await ada.get(bakers)).text).not.toContain(value);
    const wrong = await ben.submit(await ben.get(link), { invite: `${value.slice(0, -1)}x` });
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining('The invite is not valid')]);
    const joined = await ben.submit(await ben.get(link), { invite: value });
    expect(joined.location).toBe(`${bakers}&notice=joined`);
    const seen = await ben.get(bakers);
    expect(seen.text).toMatch(/you are member[^]*Person 1[^]*Person 2/);
    expect(seen.text).not.toContain('Create an invite');
    const { browser: cleo } = await signedIn('cleo');
    expect((await cleo.submit(await cleo.get(link), { invite: value })).status).toBe(403);
  });

  it('revoke an open invite', async () => {
    const { link, value } = await invite('moderator');
    const revoked = await ada.submit(await ada.get(bakers), {}, { form: '/id/communities/revoke-invite' });
    expect(revoked.location).toBe(`${bakers}&notice=invite-revoked`);
    const { browser: dora } = await signedIn('dora');
    expect((await dora.submit(await dora.get(link), { invite: value })).status).toBe(403);
  });

  it('change roles and remove members, for owners and admins only', async () => {
    expect((await ben.get(memberPath(benId))).status).toBe(403);
    const changed = await ada.submit(
      await ada.get(memberPath(benId)),
      { role: 'admin' },
      { form: '/id/communities/role' },
    );
    expect(changed.location).toBe(`${bakers}&notice=role`);
    expect((await ben.get(bakers)).text).toContain('Create an invite');
    const toOwner = await ben.submit(
      await ben.get(memberPath(benId)),
      { role: 'owner' },
      { form: '/id/communities/role' },
    );
    expect([toOwner.status, toOwner.text]).toEqual([403, expect.stringContaining('Only an owner can change a role')]);
    const removed = await ada.submit(await ada.get(memberPath(benId)), {}, { form: '/id/communities/remove' });
    expect(removed.location).toBe(`${bakers}&notice=removed`);
    expect((await ben.get(bakers)).status).toBe(404);
  });

  it('let no last owner leave', async () => {
    const left = await ada.submit(await ada.get(bakers), {}, { form: '/id/communities/leave' });
    expect([left.status, left.text]).toEqual([409, expect.stringContaining('owner')]);
  });

  it('refuse forms of another community, of another person and without a token', async () => {
    const page = await ada.get(memberPath(benId));
    expect(page.status).toBe(404);
    const form = (await ada.get(bakers)).forms.find(({ action }) => action.endsWith('/invite'));
    const values = { ...form?.values, role: 'member', ttl: '3' };
    const other = { ...values, community: '00000000-0000-7000-8000-000000000000' };
    expect((await ada.post('/id/communities/invite', { ...values, csrf_token: '' })).status).toBe(403);
    expect((await ben.post('/id/communities/invite', values)).status).toBe(404);
    expect((await ada.post('/id/communities/invite', other)).status).toBe(404);
  });

  it('hide communities from others, and lead visitors to the sign-in and back', async () => {
    const { browser: ella } = await signedIn('ella');
    expect((await ella.get(bakers)).status).toBe(404);
    expect((await ella.get('/id/communities/community?community=x')).status).toBe(404);
    const { location } = await setup.visitor().get('/id/communities');
    expect(location).toBe('/id/sign-in?return_to=%2Fid%2Fcommunities');
  });
});
