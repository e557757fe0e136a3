import { newId } from '@lensforge/core';
import { signIn } from '@lensforge/dev';
import type { TokenKind } from '@lensforge/identity';
import { issueToken, revokeToken } from '@lensforge/identity';
import type { TestPlatform } from './test-platform.js';

export type HeldKind = TokenKind | 'session';

/** Somebody's credential, and the two ways in which it comes to its end. */
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

/** A fresh credential of the stage's first user. */
export async function aHolder(stage: TestPlatform, kind: HeldKind): Promise<Holder> {
  if (kind === 'session') return aSession(stage);
  const { accountId, ctx } = stage;
  const order = { kind, accountId, userId: null, label: 'journey', scopes, ...days[kind] };
  const { value, token } = await issueToken(ctx, order);
  return {
    kind,
    token: value,
    revoke: async () => {
      await revokeToken(ctx, { tokenId: token.id });
    },
    expire: async () => {
      await stage.db.query('update api_tokens set expires_at = now() where id = $1', [token.id]);
    },
  };
}

async function aSession(stage: TestPlatform): Promise<Holder> {
  const [user] = stage.platform.users;
  if (!user) throw new Error('nobody can sign in');
  const oauth = stage.platform.urlOf('oauth');
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
      await stage.db.query('update sessions set expires_at = now() where id = $1', [sessionId]);
    },
  };
}

const partOf = (token: string, at: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[at] ?? '', 'base64url').toString()) as Record<string, unknown>;

export const claimsOf = (token: string): Record<string, unknown> => partOf(token, 1);
export const keyOf = (token: string): string => String(partOf(token, 0)['kid']);

/** What a gateway of either kind says to a token: 401, or anything else for whoever is let in. */
export async function knock(stage: TestPlatform, door: 'api' | 'mcp', replica: number, token: string): Promise<number> {
  const authorization = `Bearer ${token}`;
  if (door === 'api') {
    const url = `${stage.platform.urlOf('api-gateway', replica)}/v1/runs/${newId()}`;
    return statusOf(await fetch(url, { headers: { authorization } }));
  }
  return statusOf(
    await fetch(`${stage.platform.urlOf('mcp-gateway', replica)}/mcp`, {
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
