import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Platform, hiddenFields, startPlatform } from '@lensforge/dev';
import { until } from '@lensforge/testing';

const callback = 'http://127.0.0.1:4711/back';

let platform: Platform;
let mcp: string;
beforeAll(async () => {
  platform = await startPlatform({ allInOne: true, fast: true, environment: { LOG_LEVEL: 'warn' } });
  mcp = platform.urlOf('mcp-gateway');
});
afterAll(() => platform.stop());

/** The cookies of one person; all pages go through the tool-call server, the only address that a client knows. */
class Browser {
  private readonly cookies = new Map<string, string>();

  async open(path: string, form?: URLSearchParams): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(mcp + path, {
      redirect: 'manual',
      headers: { cookie, ...(form && { 'sec-fetch-site': 'same-origin', origin: 'null' }) },
      ...(form && { method: 'POST', body: form }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }
}

const json = async (url: string): Promise<Record<string, unknown>> =>
  (await (await fetch(url)).json()) as Record<string, unknown>;

const call = (token: string): Promise<Response> =>
  fetch(`${mcp}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

describe('a person who connects a tool', () => {
  it('signs in at the only address that the tool knows, and revokes its access there', async () => {
    const [alice] = platform.users;
    if (!alice) throw new Error('the platform has no demo user');
    const challenge = (await call('lf_mcp_none')).headers.get('www-authenticate') ?? '';
    const [, resourceUrl = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    const { authorization_servers: servers } = await json(resourceUrl);
    expect(servers).toEqual([mcp]);
    const metadata = await json(`${mcp}/.well-known/oauth-authorization-server`);
    expect(metadata).toMatchObject({ issuer: mcp, authorization_endpoint: `${mcp}/oauth/authorize` });

    const registered = await fetch(String(metadata['registration_endpoint']), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'A tool & more', redirect_uris: [callback] }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const verifier = randomBytes(32).toString('base64url');
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callback,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'grüße & mehr',
    });

    const browser = new Browser();
    const page = await browser.open(`/oauth/authorize?${asked.toString()}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const text = await page.text();
    expect(text).toContain('A tool &amp; more');
    const filledIn = new URLSearchParams([...hiddenFields(text), ['email', alice.email], ['password', alice.password]]);
    const answer = await browser.open('/oauth/authorize', filledIn);
    expect(answer.status).toBe(303);
    const back = new URL(answer.headers.get('location') ?? '').searchParams;
    expect(back.get('state')).toBe('grüße & mehr');
    expect(back.get('iss')).toBe(mcp);
    const code = back.get('code') ?? '';
    expect((await call(code)).status).toBe(401);

    const exchanged = await fetch(String(metadata['token_endpoint']), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: callback,
        client_id: clientId,
        code_verifier: verifier,
      }),
    });
    expect(await exchanged.json()).toEqual({ access_token: code, token_type: 'bearer' });
    expect((await call(code)).status).toBe(200);

    const rows = (await (await browser.open('/id/')).text()).split('<li>');
    const row = rows.find((each) => each.includes('A tool &amp; more')) ?? '';
    const ended = await browser.open('/id/tokens/revoke', new URLSearchParams(hiddenFields(row)));
    expect(ended.headers.get('location')).toBe('/id/?notice=revoked');
    expect((await call(code)).status).toBe(401);
  });

  it('finds the account pages there as well', async () => {
    const page = await until(() => fetch(`${mcp}/id/sign-in`));
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<title>Sign in · Lensforge</title>');
  });
});
