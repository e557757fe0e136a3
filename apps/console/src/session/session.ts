import type { Settings } from './settings';
import { createChallenge, randomText } from './pkce';

const clientId = 'lensforge-console';
const pendingKey = 'lensforge.sign-in';
/** A token is renewed this long before it expires. */
const marginMs = 60_000;

interface Token {
  value: string;
  until: number;
}

interface Pending {
  state: string;
  verifier: string;
  returnTo: string;
}

/**
 * The session of this tab. The access token is in memory alone; after a reload the oauth service gives another one for the
 * session cookie that only it can read.
 */
export class Session {
  private token: Token | undefined;
  private renewing: Promise<boolean> | undefined;
  private readonly listeners = new Set<() => void>();
  /** All tabs of the browser have one session. */
  private readonly tabs = new BroadcastChannel('lensforge.session');
  /** True after a sign-out in any tab, and when the session was found to have ended. */
  hasEnded = false;

  constructor(private readonly settings: Settings) {
    this.tabs.addEventListener('message', () => this.end());
  }

  /** Calls the listener when the session ends; returns what removes it. */
  onEnd = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The current token, renewed when it is about to expire; undefined without a session. */
  async accessToken(): Promise<string | undefined> {
    if (this.hasEnded) return undefined;
    if (!this.token || this.token.until - marginMs < Date.now()) await this.renew();
    if (!this.token) this.end();
    return this.token?.value;
  }

  /** Asks for a token of the browser's session; false without a session. Concurrent calls share a request. */
  renew(): Promise<boolean> {
    this.renewing ??= this.askForToken().finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /**
   * Takes a token of the browser's session in the place of one from the sign-in, whose session is another. A browser that
   * does not send the cookie keeps the token that it has.
   */
  async preferBrowserSession(): Promise<void> {
    const response = await this.callSession('POST');
    if (response.status === 200) this.take(await response.json());
  }

  /** Asks whether there still is a session, when the server has refused the token. */
  async confirm(): Promise<void> {
    if (!this.hasEnded && !(await this.renew())) this.end();
  }

  /** Leaves the console for the sign-in page, which returns to `returnTo`. */
  async signIn(returnTo: string): Promise<void> {
    const pending: Pending = { state: randomText(), verifier: randomText(), returnTo };
    sessionStorage.setItem(pendingKey, JSON.stringify(pending));
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: this.redirectUri,
      code_challenge: await createChallenge(pending.verifier),
      code_challenge_method: 'S256',
      state: pending.state,
    });
    location.assign(`${this.settings.signIn}/id/authorize?${query.toString()}`);
  }

  /** Exchanges the code with which the sign-in page returned. Returns the address to continue at. */
  async finishSignIn(query: URLSearchParams): Promise<string> {
    const stored = sessionStorage.getItem(pendingKey);
    sessionStorage.removeItem(pendingKey);
    const pending = stored === null ? undefined : (JSON.parse(stored) as Pending);
    const code = query.get('code');
    if (query.get('state') !== pending?.state || code === null)
      throw new Error(query.get('error_description') ?? 'This sign-in was not begun here');
    const response = await fetch(`${this.settings.signIn}/id/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: this.redirectUri,
        code,
        code_verifier: pending.verifier,
      }),
    });
    const answer = (await response.json()) as { error_description?: string };
    if (!response.ok) throw new Error(answer.error_description ?? `The sign-in failed with status ${response.status}`);
    this.take(answer);
    return pending.returnTo;
  }

  /** Ends the session of the browser. */
  async signOut(): Promise<void> {
    await this.callSession('DELETE');
    this.token = undefined;
    this.tabs.postMessage('ended');
  }

  private end(): void {
    this.token = undefined;
    this.hasEnded = true;
    for (const listener of this.listeners) listener();
  }

  private get redirectUri(): string {
    return `${this.settings.api}/console/signed-in`;
  }

  private async askForToken(): Promise<boolean> {
    const response = await this.callSession('POST');
    if (response.status === 204) {
      this.token = undefined;
      return false;
    }
    if (!response.ok) throw new Error(`The oauth service answered with status ${response.status}`);
    this.take(await response.json());
    return true;
  }

  private callSession(method: 'POST' | 'DELETE'): Promise<Response> {
    return fetch(`${this.settings.signIn}/id/console-session`, {
      method,
      credentials: 'include',
      headers: { 'x-lensforge-console': '1' },
    });
  }

  private take(answer: unknown): void {
    const { access_token: value, expires_in: seconds } = answer as { access_token: string; expires_in: number };
    this.token = { value, until: Date.now() + seconds * 1000 };
  }
}
