import { recordAudit } from '@lensforge/audit';
import type { Scope } from '@lensforge/contracts';
import { type Context, DomainError, keyedMutex } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { AuthorizationCode, type Issuer } from './authorization-code.entity.js';
import { handleCodeReplay } from './handle-code-replay.js';
import { MAX_TOKENS, liveTokens } from '../tokens/live-tokens.js';
import { oauthError } from './oauth-error.js';
import { openSession } from '../sessions/open-session.js';
import { verifyCodeChallenge } from './pkce.js';
import { hashToken, makeToken, detectTokenKind, toNewToken } from '../tokens/token.js';

export interface CodeExchange {
  issuer: Issuer;
  code: string;
  clientId: string;
  redirectUri: string | undefined;
  codeVerifier: string | undefined;
  resource?: string | undefined;
  /** The client's address, shown in the list of sessions. */
  address?: string | undefined;
  userAgent?: string | undefined;
  /** The number of MCP tokens that an account may have. */
  maxTokens?: number;
}

/** The result of an exchange: a token of the tools' issuer, or a session of the platform's. */
export type Exchanged =
  | { issuer: 'tools'; accessToken: string; scopes: readonly Scope[] }
  | { issuer: 'platform'; sessionId: string; resource: string | null };

interface Holder {
  userId: string;
  accountId: string;
}

const maxWrongTries = 5;
const codeMutex = keyedMutex();

/**
 * Exchanges an authorization code. A code succeeds once, and becomes invalid after five wrong tries. A replay is refused and
 * also ends the token or session of the first exchange, unless it may be the same client whose response was lost.
 */
export async function exchangeCode(ctx: Context, exchange: CodeExchange): Promise<Exchanged> {
  // A refusal also writes, so the transaction commits before the error is thrown.
  const outcome = await codeMutex(exchange.code, () => inTransaction(ctx, (ctx) => tryExchange(ctx, exchange)));
  if (outcome instanceof DomainError) throw outcome;
  return outcome;
}

async function tryExchange(ctx: Context, exchange: CodeExchange): Promise<Exchanged | DomainError> {
  const { issuer, code, resource } = exchange;
  const where = { hash: hashToken(code), issuer };
  const found = await ctx.db.findOne(AuthorizationCode, { where, lock: { mode: 'pessimistic_write' } });
  if (!found) return refused();
  const proven = isProven(found, exchange);
  if (found.exchangedAt) {
    await handleCodeReplay(ctx, { ...found, exchangedAt: found.exchangedAt }, proven);
    return refused();
  }
  if (found.invalidatedAt || found.expiresAt <= ctx.now()) return refused();
  if (!proven) return countWrongTry(ctx, found);
  if (resource !== undefined && found.resource !== null && resource !== found.resource) {
    return oauthError('invalid_target', 'resource differs from that of the authorization request');
  }
  const holder = await findHolder(ctx, found.userId);
  if (!holder || !(await claim(ctx, found))) return refused();
  return (issuer === 'tools' ? openToken : beginSession)(ctx, found, holder, exchange);
}

const isProven = (found: AuthorizationCode, { clientId, redirectUri, codeVerifier }: CodeExchange): boolean =>
  found.clientId === clientId &&
  found.redirectUri === redirectUri &&
  verifyCodeChallenge(codeVerifier, found.codeChallenge);

const refused = (): DomainError =>
  oauthError(
    'invalid_grant',
    'The code is unknown, expired, used, or not for this client, redirect_uri and code_verifier',
  );

async function countWrongTry(ctx: Context, { hash, failedAttempts }: AuthorizationCode): Promise<DomainError> {
  const tries = failedAttempts + 1;
  await ctx.db.update(
    AuthorizationCode,
    { hash },
    { failedAttempts: tries, invalidatedAt: tries >= maxWrongTries ? ctx.now() : null },
  );
  return refused();
}

async function findHolder(ctx: Context, userId: string): Promise<Holder | undefined> {
  const [holder] = await ctx.db.query<Holder[]>(
    `select u.id as "userId", a.id as "accountId" from users u join accounts a on a.id = u.account_id
      where u.id = $1 and u.disabled_at is null and a.disabled_at is null`,
    [userId],
  );
  return holder;
}

async function claim(ctx: Context, { hash }: AuthorizationCode): Promise<boolean> {
  const [, claimed] = await ctx.db.query<[unknown, number]>(
    `update authorization_codes set exchanged_at = $2
      where hash = $1 and exchanged_at is null and invalidated_at is null and expires_at > $2`,
    [hash, ctx.now()],
  );
  return claimed === 1;
}

async function openToken(
  ctx: Context,
  found: AuthorizationCode,
  holder: Holder,
  { code, maxTokens = MAX_TOKENS }: CodeExchange,
): Promise<Exchanged | DomainError> {
  const opened = found.tokenId === null ? undefined : await unseal(ctx, found.tokenId, code);
  if (!opened) return refused();
  const { accountId, userId } = holder;
  const actor = { ...ctx.actor, credential: { kind: 'mcp', id: opened.tokenId }, accountId, userId } as const;
  await recordAudit(
    { ...ctx, actor },
    {
      accountId,
      action: 'token.created',
      target: { kind: 'token', id: opened.tokenId },
      details: { kind: 'mcp', clientId: found.clientId },
    },
  );
  await revokeSurplus(ctx, accountId, maxTokens);
  return { issuer: 'tools', accessToken: opened.value, scopes: opened.scopes };
}

/** Revokes the least recently used tokens above the limit, because clients request a new token at each setup. */
async function revokeSurplus(ctx: Context, accountId: string, limit: number): Promise<void> {
  const [ended] = await ctx.db.query<[{ id: string }[], number]>(
    `update api_tokens set revoked_at = now()
      where id in (select id from ${liveTokens('mcp')} order by coalesce(last_used_at, created_at) desc, id desc offset $2)
     returning id`,
    [accountId, limit],
  );
  for (const { id } of ended) {
    const details = { kind: 'mcp', by: 'surplus' };
    await recordAudit(ctx, { accountId, action: 'token.revoked', target: { kind: 'token', id }, details });
  }
}

interface Opened {
  tokenId: string;
  value: string;
  scopes: readonly Scope[];
}

/**
 * Activates the sealed token, whose value is the code unless codes differ from tokens; undefined when its owner has revoked it
 * meanwhile.
 */
async function unseal(ctx: Context, tokenId: string, code: string): Promise<Opened | undefined> {
  const { value, hash, prefix } = detectTokenKind(code) === 'mcp' ? toNewToken(code) : makeToken('mcp');
  const [[opened]] = await ctx.db.query<[{ scopes: Scope[] }[], number]>(
    `update api_tokens set sealed = false, hash = $2, prefix = $3
      where id = $1 and sealed and revoked_at is null returning scopes`,
    [tokenId, hash, prefix],
  );
  return opened && { tokenId, value, scopes: opened.scopes };
}

async function beginSession(
  ctx: Context,
  found: AuthorizationCode,
  { userId }: Holder,
  { clientId, address, userAgent }: CodeExchange,
): Promise<Exchanged> {
  const { session } = await openSession(ctx, {
    userId,
    kind: 'client',
    clientId,
    ...(address !== undefined && { address }),
    ...(userAgent !== undefined && { userAgent }),
  });
  await ctx.db.update(AuthorizationCode, { hash: found.hash }, { sessionId: session.id });
  return { issuer: 'platform', sessionId: session.id, resource: found.resource };
}
