import { createHash, randomBytes } from 'node:crypto';
import { issueCode } from '@lensforge/identity';
import type { PagesSetup } from './pages-setup.js';

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(url, { redirect: 'manual', ...init });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
}

type FormValues = Readonly<Record<string, string | undefined>>;

/** Posts a form; undefined omits a value. */
export function postForm(url: string, values: FormValues, headers: Record<string, string> = {}): Promise<Answer> {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) body.append(name, value);
  return ask(url, { method: 'POST', body, headers });
}

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export interface CodeOptions {
  userId: string;
  clientId: string;
  issuer?: 'tools' | 'platform';
  redirectUri?: string;
  resource?: string;
}

/** An authorization code and the form with which the client exchanges it. */
export async function aCode(
  { ctx }: PagesSetup,
  { userId, clientId, issuer = 'tools', redirectUri = 'https://tool.example/cb', resource }: CodeOptions,
): Promise<{ code: string; form: Record<string, string> }> {
  const { verifier, challenge } = pkce();
  const { code } = await issueCode(ctx, { issuer, clientId, redirectUri, codeChallenge: challenge, resource, userId });
  const form = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return { code, form };
}
