import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Account, createAccount, findCredentials, hashToken } from '@lensforge/identity';
import type { FormBrowser, Page } from './form-browser.js';
import { type PagesSetup, openPagesSetup, password } from './pages-setup.js';

let setup: PagesSetup;
let visitor: FormBrowser;
let account: { accountId: string; communityId: string };
beforeAll(async () => {
  setup = await openPagesSetup();
  const { email, handle } = await setup.person('ada');
  const { id: accountId } = await setup.ctx.db.findOneByOrFail(Account, { handle });
  const community = await createAccount(setup.ctx, { kind: 'community', handle: 'bakers', displayName: 'Bakers' });
  await setup.ctx.db.query(`insert into memberships (community_id, account_id, role) values ($1, $2, 'owner')`, [
    community.id,
    accountId,
  ]);
  account = { accountId, communityId: community.id };
  visitor = setup.visitor();
  await visitor.signIn(email, password);
});
afterAll(() => setup.close());

const valueIn = ({ text }: Page): string => /lf_(?:dev|org|svc)_[0-9a-f]{64}/.exec(text)?.[0] ?? '';
const actorOf = async (value: string) => (await findCredentials(setup.ctx.db, [hashToken(value)]))[0];

/** Submits the form with these scopes only; the form browser would send every box. */
async function create(kind: string, scopes: readonly string[], values: Record<string, string> = {}): Promise<Page> {
  const page = await visitor.get(`/id/tokens/new?kind=${kind}`);
  const [form] = page.forms;
  const kept = Object.entries(form?.values ?? {}).filter(([name]) => !name.includes(':'));
  const chosen = scopes.map((scope) => [scope, 'on'] as const);
  return visitor.post('/id/tokens/new', { ...Object.fromEntries<string>([...kept, ...chosen]), ...values });
}

describe('the pages of tokens', () => {
  it('explain each scope, and say that lenses:read executes and spends', async () => {
    const { text } = await visitor.get('/id/tokens/new?kind=developer');
    expect(text).toContain('Read lenses and run them, which can cost credits.');
    expect(text).toContain('lenses:read executes lenses');
    expect(text).not.toContain('name="tokens:write"');
  });

  it('create a developer token, show it once, list it and revoke it', async () => {
    const created = await create('developer', ['lenses:read'], { label: 'laptop', ttl: '7' });
    expect(created).toMatchObject({ status: 200, title: 'Token created · Lensforge' });
    const value = valueIn(created);
    expect(await actorOf(value)).toMatchObject({ accountId: account.accountId, scopes: ['lenses:read'] });
    const list = await visitor.get('/id/tokens');
    expect(list.text).not.toContain(value);
    expect(list.text).toMatch(/laptop[^]*Developer token of @ada[^]*lenses:read[^]*never used/);
    const revoked = await visitor.submit(list, {}, { form: '/id/tokens/revoke' });
    expect(revoked.location).toBe('/id/tokens?notice=revoked');
    expect(await actorOf(value)).toBeUndefined();
    const after = await visitor.get('/id/tokens?notice=revoked');
    expect(after.text).toContain('The token is revoked.');
    expect(after.text).not.toContain('laptop');
  });

  it.each([
    ['organisation', 'lf_org_'],
    ['service', 'lf_svc_'],
  ])('create an %s token for a community', async (kind, prefix) => {
    const created = await create(kind, ['lenses:read', 'workflows:write'], {
      label: 'nightly',
      account: account.communityId,
    });
    expect(valueIn(created)).toMatch(new RegExp(`^${prefix}`));
    expect(await actorOf(valueIn(created))).toMatchObject({ accountId: account.communityId });
    expect((await visitor.get('/id/tokens')).text).toContain('of @bakers');
  });

  it('create a service token for the person', async () => {
    const created = await create('service', ['lenses:read'], { label: 'robot', account: account.accountId });
    expect(await actorOf(valueIn(created))).toMatchObject({ accountId: account.accountId });
  });

  it.each([
    ['developer', [], { label: 'x' }, 'Choose at least one'],
    ['developer', ['lenses:read'], { label: ' ' }, 'must have 1 to 100 characters'],
    ['developer', ['lenses:read'], { label: 'x', ttl: '91' }, 'must be valid for 1 to 90 days'],
    [
      'organisation',
      ['lenses:read'],
      { label: 'x', account: '00000000-0000-7000-8000-000000000000' },
      'do not administer',
    ],
  ])('refuse an invalid %s token with %j %j, and keep the values', async (kind, scopes, values, message) => {
    const refused = await create(kind, scopes, values);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(message);
    expect(valueIn(refused)).toBe('');
  });

  it('refuse a form of another kind, of another person and without a token', async () => {
    const page = await visitor.get('/id/tokens/new?kind=developer');
    const values = { ...page.forms[0]?.values, label: 'x', 'lenses:read': 'on' };
    expect((await visitor.post('/id/tokens/new', { ...values, kind: 'service' })).status).toBe(403);
    expect((await visitor.post('/id/tokens/new', { ...values, csrf_token: '' })).status).toBe(403);
    const other = setup.visitor();
    await other.signIn((await setup.person()).email, password);
    expect((await other.post('/id/tokens/new', values)).status).toBe(403);
  });

  it('lead visitors to the sign-in and back', async () => {
    const { location } = await setup.visitor().get('/id/tokens');
    expect(location).toBe('/id/sign-in?return_to=%2Fid%2Ftokens');
    expect((await visitor.get('/id/tokens/new?kind=mcp')).status).toBe(404);
  });
});
