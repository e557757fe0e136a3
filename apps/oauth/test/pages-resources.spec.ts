import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKeyPair } from '@lensforge/byok/testing';
import { findCredentials, hashToken } from '@lensforge/identity';
import type { FormBrowser, Page } from './form-browser.js';
import { type PagesSetup, openPagesSetup, password } from './pages-setup.js';

let setup: PagesSetup;
let ada: FormBrowser;
let ben: FormBrowser;

async function signedIn(handle: string): Promise<FormBrowser> {
  const { email } = await setup.person(handle);
  const browser = setup.visitor();
  await browser.signIn(email, password);
  return browser;
}

beforeAll(async () => {
  setup = await openPagesSetup({ environment: { LENSFORGE_WEBHOOK_ENDPOINTS_PER_ACCOUNT: '1' } });
  [ada, ben] = [await signedIn('ada'), await signedIn('ben')];
});
afterAll(() => setup.close());

/** Sends the form of a page that adds an object, with these values alone. */
async function send(path: string, values: Record<string, string>): Promise<Page> {
  const form = (await ada.get(path)).forms.find(({ action }) => action === path);
  return ada.post(path, { csrf_token: form?.values['csrf_token'] ?? '', ...values });
}

const secretIn = ({ text }: Page): string => /<code class="secret mono">([^<]*)<\/code>/.exec(text)?.[1] ?? '';

describe('the page of provider keys', () => {
  const add = (values: Record<string, string>): Promise<Page> =>
    send('/id/keys', { provider: 'openai', label: 'mine', secret: 'sk-a-long-secret', ...values });

  it('says that no key can be stored before a run-worker has started', async () => {
    const page = await add({});
    expect([page.status, page.text]).toEqual([503, expect.stringContaining('no run-worker')]);
    await aKeyPair(setup.ctx);
  });

  it('stores a key, lists it without its secret and revokes it', async () => {
    expect((await add({})).location).toBe('/id/keys?notice=added');
    const list = await ada.get('/id/keys?notice=added');
    expect(list.text).toMatch(/The key is stored[^]*mine[^]*openai[^]*…cret[^]*never used/);
    expect(list.text).not.toContain('sk-a-long');
    const revoked = await ada.submit(list, {}, { form: '/id/keys/revoke' });
    expect(revoked.location).toBe('/id/keys?notice=revoked');
    expect((await ada.get('/id/keys')).text).toContain('None yet.');
  });

  it('stores the key of an own endpoint with its models', async () => {
    const own = { provider: 'openai-compatible', baseUrl: 'https://models.example/v1', models: 'llama3.2, qwen3' };
    expect((await add({ ...own, label: 'own' })).status).toBe(303);
    expect((await ada.get('/id/keys')).text).toContain('openai-compatible at https://models.example/v1');
  });

  it.each([
    [{ label: ' ' }, 'label'],
    [{ secret: 'short' }, 'secret'],
    [{ provider: 'unknown' }, 'provider'],
    [{ baseUrl: 'https://x.example' }, 'cannot be given for openai'],
  ])('refuses %j', async (values, message) => {
    const page = await add(values);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(message)]);
    expect(page.text).not.toContain('sk-a-long');
  });
});

describe('the page of webhooks', () => {
  const add = (values: Record<string, string>): Promise<Page> => send('/id/webhooks', values);
  const press = async (action: string): Promise<Page> =>
    ada.submit(await ada.get('/id/webhooks'), {}, { form: `/id/webhooks/${action}` });

  it('creates an endpoint and shows its secret once', async () => {
    const created = await add({ url: 'https://ada.example/hook', 'run.failed': 'on' });
    expect(secretIn(created)).toMatch(/^whsec_/);
    const { text } = await ada.get('/id/webhooks');
    expect(text).toMatch(/https:\/\/ada\.example\/hook[^]*run\.failed[^]*enabled/);
    expect(text).not.toContain('whsec_');
    expect(await add({ url: 'https://ada.example/other', 'run.failed': 'on' })).toMatchObject({ status: 409 });
  });

  it('tests, disables and enables it, replaces its secret and deletes it', async () => {
    expect((await press('test')).location).toBe('/id/webhooks?notice=tested');
    const sent = await setup.ctx.db.query<{ type: string }[]>('select type from webhook_events');
    expect(sent).toEqual([{ type: 'webhook.test' }]);
    expect((await press('switch')).location).toBe('/id/webhooks?notice=disabled');
    expect((await ada.get('/id/webhooks')).forms.some(({ action }) => action.endsWith('/test'))).toBe(false);
    expect((await press('switch')).location).toBe('/id/webhooks?notice=enabled');
    expect(secretIn(await press('rotate'))).toMatch(/^whsec_/);
    expect((await press('remove')).location).toBe('/id/webhooks?notice=removed');
    expect((await ada.get('/id/webhooks')).text).toContain('None yet.');
  });

  it.each([
    [{ url: 'ftp://ada.example', 'run.failed': 'on' }, 'url'],
    [{ url: 'https://ada.example' }, 'events'],
  ])('refuses %j', async (values, message) => {
    const page = await add(values);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('the page of connectors', () => {
  it('lists a connector, replaces its token and removes it', async () => {
    const page = await ada.get('/id/tokens/new?kind=service');
    const kept = Object.entries(page.forms[0]?.values ?? {}).filter(([name]) => !name.includes(':'));
    const values = { ...Object.fromEntries(kept), label: 'nightly', 'lenses:read': 'on' };
    const before = /lf_svc_[0-9a-f]{64}/.exec((await ada.post('/id/tokens/new', values)).text)?.[0] ?? '';
    const list = await ada.get('/id/connectors');
    expect(list.text).toMatch(/nightly[^]*acts for @ada[^]*lenses:read[^]*never used/);
    const after = secretIn(await ada.submit(list, {}, { form: '/id/connectors/rotate' }));
    expect(after).toMatch(/^lf_svc_/);
    const actors = await findCredentials(setup.ctx.db, [before, after].map(hashToken));
    expect(actors.map((actor) => actor !== undefined)).toEqual([false, true]);
    const removed = await ada.submit(await ada.get('/id/connectors'), {}, { form: '/id/connectors/remove' });
    expect(removed.location).toBe('/id/connectors?notice=removed');
    expect((await findCredentials(setup.ctx.db, [hashToken(after)]))[0]).toBeUndefined();
  });
});

describe('these pages', () => {
  it('refuse the objects and forms of another person', async () => {
    const [key] = await setup.ctx.db.query<[{ id: string }]>('select id from byok_keys where revoked_at is null');
    const own = await ada.get('/id/keys');
    const form = own.forms.find(({ action }) => action === '/id/keys/revoke');
    expect((await ben.post('/id/keys/revoke', form?.values ?? {})).status).toBe(403);
    expect(
      (await ada.post('/id/keys/revoke', { ...form?.values, id: '00000000-0000-7000-8000-000000000000' })).status,
    ).toBe(403);
    expect((await ben.get('/id/keys')).text).not.toContain(key.id);
    expect((await ada.post('/id/keys/revoke', { id: 'x' })).status).toBe(404);
  });

  it.each(['keys', 'webhooks', 'connectors'])('lead visitors of %s to the sign-in and back', async (name) => {
    expect((await setup.visitor().get(`/id/${name}`)).location).toBe(`/id/sign-in?return_to=%2Fid%2F${name}`);
  });
});
