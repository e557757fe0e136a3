import { newId } from '@lensforge/core';
import { signIn } from '@lensforge/dev';
import { type TokenKind, issueToken, revokeToken } from '@lensforge/identity';
import type { TestPlatform } from './test-platform.js';

export type HeldKind = TokenKind | 'session';

/** A credential, and the two ways to end it. */
export interface Holder {
  kind: HeldKind;
  token: string;
  revoke(): Promise<void>;
  expire(): Promise<void>;
}

const scopes = ['lenses:read', 'workflows:read', 'community:read'] as const;
const days: Record<TokenKind, { days?: number }> = {
  mcp: {},
  developer: { days: 90 },
  organisation: { days: 90 },
  service: { days: 90 },
};

/** A new credential of the platform's first user. */
export async function createHolder(setup: TestPlatform, kind: HeldKind): Promise<Holder> {
  if (kind === 'session') return aSession(setup);
  const { accountId, ctx } = setup;
  const order = { kind, accountId, userId: null, label: 'journey', scopes, ...days[kind] };
  const { value, token } = await issueToken(ctx, order);
  return {
    kind,
    token: value,
    revoke: async () => {
      await revokeToken(ctx, { tokenId: token.id });
    },
    expire: async () => {
      await setup.db.query('update api_tokens set expires_at = now() where id = $1', [token.id]);
    },
  };
}

async function aSession(setup: TestPlatform): Promise<Holder> {
  const [user] = setup.platform.users;
  if (!user) throw new Error('the platform has no demo user');
  const oauth = setup.platform.urlOf('oauth');
  const { accessToken, refreshToken } = await signIn(oauth, user);
  const sessionId = String(claimsOf(accessToken)['sid']);
  return {
    kind: 'session',
    token: accessToken,
    revoke: async () => {
      const body = new URLSearchParams({ token: refreshToken, client_id: 'lensforge-cli' });
      const { status } = await fetch(`${oauth}/id/revoke`, { method: 'POST', body });
      if (status !== 200) throw new Error(`the session was not ended: ${status}`);
    },
    expire: async () => {
      await setup.db.query('update sessions set expires_at = now() where id = $1', [sessionId]);
    },
  };
}

const partOf = (token: string, at: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString()) as Record<string, unknown>;

export const claimsOf = (token: string): Record<string, unknown> => partOf(token, 1);
export const keyOf = (token: string): string => String(partOf(token, 0)['kid']);

/** The status of a request with the token: 401, or any other if it is accepted. */
export async function requestStatus(
  setup: TestPlatform,
  surface: 'api' | 'mcp',
  replica: number,
  token: string,
): Promise<number> {
  const authorization = `Bearer ${token}`;
  if (surface === 'api') {
    const url = `${setup.platform.urlOf('api-gateway', replica)}/v1/runs/${newId()}`;
    return statusOf(await fetch(url, { headers: { authorization } }));
  }
  return statusOf(
    await fetch(`${setup.platform.urlOf('mcp-gateway', replica)}/mcp`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    }),
  );
}

async function statusOf(answer: Response): Promise<number> {
  await answer.arrayBuffer();
  return answer.status;
}
