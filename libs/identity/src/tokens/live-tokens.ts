import type { TokenKind } from './token.js';

/** Of each kind, for each account. */
export const MOST_TOKENS = 200;

/** Those of account `$1` that still open something. */
export const liveTokens = (kind: TokenKind): string =>
  `api_tokens where account_id = $1 and kind = '${kind}' and not sealed and revoked_at is null
      and (expires_at is null or expires_at > now())`;
