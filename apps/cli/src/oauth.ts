import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openCallback } from './browser-callback.js';
import { CommandFault } from './faults.js';
import type { Credential } from './profile-store.js';

const clientId = 'lensforge-cli';
const callbackTexts = {
  done: 'You are logged in. You can close this page.',
  refused: 'The login was refused.',
  advice: 'Start again with: lensforge login',
};
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** The members of all replies of the sign-in. */
interface Reply {
  error?: string;
  error_description?: string;
  access_token?: string;
  refresh_token?: string;
  expires_in?: number;
  device_code?: string;
  user_code?: string;
  verification_uri_complete?: string;
  interval?: number;
}

type Form = Readonly<Record<string, string | undefined>>;

/** The sign-in of the platform, for first-party clients. */
export class SignIn {
  constructor(
    private readonly authUrl: string,
    private readonly signal: AbortSignal,
  ) {}

  /** The device flow: `show` gets the address and the code that a person confirms in any browser. */
  async withDevice(
    request: { label?: string | undefined; days?: string | undefined; scopes?: string | undefined },
    show: (place: { url: string; code: string }) => void,
  ): Promise<Credential> {
    const started = await this.required('/id/device_authorization', {
      label: request.label,
      ttl: request.days,
      scope: request.scopes,
    });
    show({ url: started.verification_uri_complete ?? '', code: started.user_code ?? '' });
    let seconds = started.interval ?? 5;
    for (;;) {
      await pause(seconds * 1000, undefined, { signal: this.signal });
      const reply = await this.post('/id/token', { grant_type: deviceGrant, device_code: started.device_code });
      if (reply.error === undefined) return toCredential('developer', reply);
      if (reply.error === 'slow_down') seconds += 5;
      else if (reply.error !== 'authorization_pending') throw refused(reply);
    }
  }

  /** The authorization code flow with PKCE: a browser returns to an address of this computer. */
  async withBrowser(open: (url: string) => void): Promise<Credential> {
    const verifier = randomBytes(48).toString('base64url');
    const state = randomBytes(24).toString('base64url');
    const callback = await openCallback(callbackTexts, this.signal);
    try {
      const url = new URL(`${this.authUrl}/id/authorize`);
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: callback.address,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state,
      })) {
        url.searchParams.set(name, value);
      }
      const returned = callback.returned(state);
      open(url.href);
      const given = await returned;
      const code = given.get('code');
      if (!code) throw refused({ error: given.get('error') ?? 'no code' });
      const form = { grant_type: 'authorization_code', code, redirect_uri: callback.address, code_verifier: verifier };
      return toCredential('session', await this.required('/id/token', form));
    } finally {
      callback.close();
    }
  }

  async refresh(refreshToken: string): Promise<Credential | undefined> {
    const reply = await this.post('/id/token', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    });
    if (reply.error === undefined) return toCredential('session', reply);
    if (reply.error === 'invalid_grant') return undefined;
    throw refused(reply);
  }

  async revoke({ refreshToken, accessToken }: Credential): Promise<void> {
    await this.required('/id/revoke', { token: refreshToken ?? accessToken });
  }

  private async required(path: string, form: Form): Promise<Reply> {
    const reply = await this.post(path, form);
    if (reply.error !== undefined) throw refused(reply);
    return reply;
  }

  private async post(path: string, form: Form): Promise<Reply> {
    const body = new URLSearchParams({ client_id: clientId });
    for (const [name, value] of Object.entries(form)) if (value !== undefined) body.set(name, value);
    const limit = AbortSignal.timeout(30_000);
    const response = await fetch(this.authUrl + path, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.any([this.signal, limit]),
    }).catch((error: unknown) => {
      if (this.signal.aborted) throw this.signal.reason as Error;
      throw new CommandFault(
        `The sign-in at ${this.authUrl} cannot be reached`,
        'Give its address: lensforge login --auth-url <url>',
        { cause: error },
      );
    });
    return replyIn(response.status, await response.text());
  }
}

/** The members of a reply; an empty one, of a revocation, has none. */
function replyIn(status: number, text: string): Reply {
  try {
    return JSON.parse(text === '' && status < 300 ? '{}' : text) as Reply;
  } catch {
    return { error: 'server_error', error_description: `the sign-in answered with ${status}` };
  }
}

const toCredential = (kind: 'developer' | 'session', reply: Reply): Credential => ({
  kind,
  accessToken: reply.access_token ?? '',
  ...(reply.refresh_token && { refreshToken: reply.refresh_token }),
  ...(reply.expires_in && { expiresAt: Date.now() + reply.expires_in * 1000 }),
});

const refused = ({ error, error_description: why }: Reply): CommandFault =>
  new CommandFault(`The sign-in was refused: ${why ?? error ?? 'no reason'}`, callbackTexts.advice);
