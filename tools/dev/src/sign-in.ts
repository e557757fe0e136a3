import { createHash, randomBytes } from 'node:crypto';

export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
  /** Seconds. */
  expiresIn: number;
}

export interface Credentials {
  email: string;
  password: string;
}

const clientId = 'lensforge-cli';
const redirectUri = 'http://127.0.0.1/callback';
const patienceMs = 15_000;

/** An authorization request of a program, with its PKCE verifier. */
export interface Asking {
  issuer: 'id' | 'oauth';
  clientId: string;
  redirectUri: string;
}

/** Signs in at the form of an authorization request; returns the code and the PKCE verifier. */
export async function authorize(
  oauth: string,
  { issuer, clientId, redirectUri }: Asking,
  { email, password }: Credentials,
): Promise<{ code: string; verifier: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: randomBytes(8).toString('hex'),
  });
  const url = `${oauth}/${issuer}/authorize`;
  const page = await fetch(`${url}?${query.toString()}`, { signal: AbortSignal.timeout(patienceMs) });
  const form = new URLSearchParams([...hiddenFields(await page.text()), ['decision', 'allow']]);
  form.set('email', email);
  form.set('password', password);
  const answer = await post(url, form, { cookie: readCookies(page) });
  const code = new URL(answer.headers.get('location') ?? redirectUri).searchParams.get('code');
  if (!code) throw new Error(`${email} could not sign in: the form was answered with ${answer.status}`);
  return { code, verifier };
}

/** Signs a user in like a command-line client: form, code, tokens. */
export async function signIn(oauth: string, credentials: Credentials): Promise<SessionTokens> {
  const { code, verifier } = await authorize(oauth, { issuer: 'id', clientId, redirectUri }, credentials);
  return tokensFrom(oauth, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
  });
}

export const refresh = (oauth: string, refreshToken: string): Promise<SessionTokens> =>
  tokensFrom(oauth, { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId });

async function tokensFrom(oauth: string, parameters: Record<string, string>): Promise<SessionTokens> {
  const answer = await post(`${oauth}/id/token`, new URLSearchParams(parameters));
  const body = (await answer.json()) as Record<string, unknown>;
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = body;
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') {
    throw new Error(`no tokens were given: ${String(body['error'])}, ${String(body['error_description'])}`);
  }
  return { accessToken, refreshToken, expiresIn: Number(expiresIn) };
}

const post = (url: string, form: URLSearchParams, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: form, headers, redirect: 'manual', signal: AbortSignal.timeout(patienceMs) });

/** The cookies of a page; forms need them. */
export const readCookies = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`', amp: '&' };
const plain = (text: string): string =>
  text.replace(/&(lt|gt|quot|#39|#96|amp);/g, (_all, name: string) => entities[name] ?? '');

export const hiddenFields = (page: string): [string, string][] =>
  [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    plain(name),
    plain(value),
  ]);
