import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Interrupted } from '../src/faults.js';
import { type CliUser, aCliUser } from './cli-host.js';
import { type PlatformStub, aPlatformStub, sampleId } from './platform-stub.js';

type Reply = readonly [status: number, body: object | undefined];

let platform: PlatformStub;
let user: CliUser;
let authUrl: string;
let forms: { path: string; form: Record<string, string> }[] = [];
let replies: Reply[] = [];

const signIn = createServer((request, response) => {
  let text = '';
  request.on('data', (part: Buffer) => (text += part.toString()));
  request.on('end', () => {
    forms.push({ path: request.url ?? '', form: Object.fromEntries(new URLSearchParams(text)) });
    const [status, body] = replies.shift() ?? [500, { error: 'server_error' }];
    response.writeHead(status).end(body && JSON.stringify(body));
  });
});

beforeAll(async () => {
  platform = await aPlatformStub();
  await new Promise<void>((resolve) => signIn.listen(0, '127.0.0.1', resolve));
  authUrl = `http://127.0.0.1:${(signIn.address() as AddressInfo).port}`;
  user = await aCliUser({ LENSFORGE_API_URL: platform.url, LENSFORGE_AUTH_URL: authUrl });
});
afterAll(async () => {
  signIn.close();
  signIn.closeAllConnections();
  await platform.close();
  await user.close();
});
afterEach(() => {
  forms = [];
  replies = [];
  platform.requests.length = 0;
});

const grant: Reply = [
  200,
  {
    device_code: 'dc',
    user_code: 'ABCD-EFGH',
    verification_uri_complete: 'http://id/device?user_code=ABCD',
    interval: 0,
  },
];
const stored = async (): Promise<string> => readFile(join(user.folder, 'profiles.json'), 'utf8');

describe('login by a device code', () => {
  it('shows the code, waits for the approval and stores the developer token', async () => {
    const pending: Reply = [400, { error: 'authorization_pending' }];
    replies = [grant, pending, [200, { access_token: 'lf_dev_1', expires_in: 86_400 }]];
    const line = ['login', '--label', 'ci', '--ttl', '30', '--scopes', 'lenses:read,workflows:read'];
    const { code, stdout, stderr } = await user.run(line);
    expect([code, stdout]).toEqual([0, 'Logged in as @a handle (profile default)\n']);
    expect(stderr).toContain('http://id/device?user_code=ABCD');
    expect(stderr).toContain('ABCD-EFGH');
    expect(forms[0]).toEqual({
      path: '/id/device_authorization',
      form: { client_id: 'lensforge-cli', label: 'ci', ttl: '30', scope: 'lenses:read workflows:read' },
    });
    expect(forms[2]?.form).toMatchObject({ device_code: 'dc', client_id: 'lensforge-cli' });
    expect(platform.requests.at(-1)?.authorization).toBe('Bearer lf_dev_1');
    expect(await stored()).toContain('lf_dev_1');
  });

  it('ends with 1 when it is denied, and stores nothing', async () => {
    const before = await stored();
    replies = [grant, [400, { error: 'access_denied', error_description: 'The user denied the request' }]];
    const { code, stderr } = await user.run(['login']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The user denied the request')]);
    expect(await stored()).toBe(before);
  });

  it('ends with 130 when it is interrupted while it waits', async () => {
    replies = [[200, { ...grant[1], interval: 60 }]];
    const controller = new AbortController();
    const onMessage = (): void => controller.abort(new Interrupted());
    expect((await user.run(['login'], { signal: controller.signal, onMessage })).code).toBe(130);
  });
});

describe('login with a browser', () => {
  it('exchanges the code of its own request for a session', async () => {
    let challenge = '';
    const openBrowser = (text: string): void => {
      const url = new URL(text);
      const given = Object.fromEntries(url.searchParams);
      challenge = given['code_challenge'] ?? '';
      expect(`${url.origin}${url.pathname}`).toBe(`${authUrl}/id/authorize`);
      expect(given).toMatchObject({ client_id: 'lensforge-cli', response_type: 'code', code_challenge_method: 'S256' });
      const back = given['redirect_uri'] ?? '';
      void fetch(`${back}?code=stolen&state=other`)
        .then(({ status }) => expect(status).toBe(404))
        .then(() => fetch(`${back}?code=c-1&state=${given['state']}`));
    };
    replies = [[200, { access_token: 'jwt-1', refresh_token: 'r-1', expires_in: 3600 }]];
    const { code } = await user.run(['login', '--web'], { openBrowser });
    expect(code).toBe(0);
    const form: Record<string, string> = forms[0]?.form ?? {};
    expect(form).toMatchObject({ grant_type: 'authorization_code', code: 'c-1' });
    expect(
      createHash('sha256')
        .update(form['code_verifier'] ?? '')
        .digest('base64url'),
    ).toBe(challenge);
    expect(await stored()).toContain('r-1');
  });

  it('refreshes the session before it ends, and stores the next refresh token', async () => {
    const expired = (await stored()).replace(/"expiresAt": \d+/, '"expiresAt": 1');
    await writeFile(join(user.folder, 'profiles.json'), expired);
    replies = [[200, { access_token: 'jwt-2', refresh_token: 'r-2', expires_in: 3600 }]];
    expect((await user.run(['whoami'])).code).toBe(0);
    expect(forms[0]?.form).toMatchObject({ grant_type: 'refresh_token', refresh_token: 'r-1' });
    expect(platform.requests.at(-1)?.authorization).toBe('Bearer jwt-2');
    expect(await stored()).toContain('r-2');
  });

  it('asks for another login when the session has ended', async () => {
    const before = await stored();
    await writeFile(join(user.folder, 'profiles.json'), before.replace(/"expiresAt": \d+/, '"expiresAt": 1'));
    replies = [[400, { error: 'invalid_grant' }]];
    const { code, stderr } = await user.run(['whoami']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('Your session has ended')]);
    expect(await stored()).not.toContain('r-2');
    await writeFile(join(user.folder, 'profiles.json'), before);
  });
});

describe('mcp authorize', () => {
  const line = ['mcp', 'authorize', sampleId, '--scope', 'notes:read,notes:write'];
  const finish = () => platform.requests.filter(({ operationId }) => operationId === 'finishMcpAuthorization');
  /** Returns as the browser does, to the address with which the authorization began. */
  const back = (query: string) => {
    const { redirectUri } = platform.requests.at(-1)?.body as { redirectUri: string };
    return fetch(`${redirectUri}?${query}`);
  };

  it('opens the address, and finishes with the code, state and issuer of its own authorization', async () => {
    const openBrowser = (url: string): void => {
      expect(url).toBe('https://auth.example/authorize?state=s-1');
      void back('code=stolen&state=other')
        .then(({ status }) => expect(status).toBe(404))
        .then(() => back('code=c-1&state=s-1&iss=https://auth.example'));
    };
    const { code, stdout, stderr } = await user.run(line, { openBrowser, env: { LENSFORGE_API_KEY: 'key-1' } });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/authorization {2}authorized/)]);
    expect(stderr).toContain('Open https://auth.example/authorize?state=s-1');
    expect(platform.requests[0]?.body).toEqual({
      redirectUri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      scope: 'notes:read notes:write',
    });
    expect(finish().map(({ body }) => body)).toEqual([{ state: 's-1', code: 'c-1', iss: 'https://auth.example' }]);
  });

  it.each([
    ['consent that is refused', 'error=access_denied&state=s-1', 'The authorization was refused: access_denied'],
    ['a pasted address of another authorization', 'code=c-1&state=other', 'the state of another authorization'],
  ])('ends with 1 for %s, and sends no code', async (_name, query, message) => {
    const outcome = await user.run([...line, '--paste'], {
      stdin: `http://127.0.0.1:1/callback?${query}`,
      env: { LENSFORGE_API_KEY: 'key-1' },
    });
    expect([outcome.code, outcome.stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(finish()).toEqual([]);
  });
});

describe('logout', () => {
  it('revokes the credential and deletes it', async () => {
    replies = [[200, undefined]];
    expect((await user.run(['logout'])).code).toBe(0);
    expect(forms[0]).toEqual({ path: '/id/revoke', form: { client_id: 'lensforge-cli', token: 'r-2' } });
    expect(await stored()).not.toContain('r-2');
    expect((await user.run(['whoami'])).code).toBe(4);
  });

  it('deletes a credential that it cannot revoke, and says so', async () => {
    replies = [grant, [200, { access_token: 'lf_dev_2', expires_in: 60 }]];
    await user.run(['login']);
    const { code, stderr } = await user.run(['logout']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('The token was not revoked')]);
    expect(await stored()).not.toContain('lf_dev_2');
  });
});
