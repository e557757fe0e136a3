import { outsideIssuer } from './outside-issuer.js';
import type { Platform } from '../boot/platform.js';
import { sessionIssuer } from './session-issuer.js';
import { SignedTokens } from './signed-tokens.js';

/** The verifier of session tokens for an audience: those of the platform's issuer and of the external one, if any. */
export function trustedTokens({ environment, database, logger, drain, now }: Platform, audience: string): SignedTokens {
  const {
    LENSFORGE_OAUTH_URL: oauth,
    LENSFORGE_OUTSIDE_ISSUER: issuer,
    LENSFORGE_OUTSIDE_JWKS_URL: jwksUrl,
    LENSFORGE_OUTSIDE_AUDIENCE: outsideAudience,
    LENSFORGE_JWKS_REFRESH_SECONDS: refreshSeconds,
  } = environment;
  const shared = { db: database.manager, logger, refreshMs: refreshSeconds * 1000 };
  const own = sessionIssuer({
    ...shared,
    issuer: environment.issuer,
    isAlias: (name) => environment.isOwnIssuer(name),
    audience,
    jwksUrl: `${oauth.replace(/\/+$/, '')}/id/jwks.json`,
  });
  const hasOutside = issuer && jwksUrl && outsideAudience;
  const outside = hasOutside ? [outsideIssuer({ ...shared, issuer, jwksUrl, audience: outsideAudience })] : [];
  // The external issuer comes first: its exact name may look like one of the platform's.
  const tokens = new SignedTokens([...outside, own], now);
  drain.onExit('session tokens', () => tokens.close());
  return tokens;
}
