import type { TokenKind } from './token.js';

/** The number of tokens of each kind that an account may have. */
export const MAX_TOKENS = 200;

/** SQL source of the valid tokens of account `$1`. */
export const liveTokens = (kind: TokenKind): string =>
  `api_tokens where account_id = $1 and kind = '${kind}' and not sealed and revoked_at is null
      and (expires_at is null or expires_at > now())`;
