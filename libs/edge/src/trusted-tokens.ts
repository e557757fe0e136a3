import { outsideIssuer } from './outside-issuer.js';
import type { Platform } from './platform.js';
import { sessionIssuer } from './session-issuer.js';
import { SignedTokens } from './signed-tokens.js';

/** The signed tokens that open a service: those of our own sign-in that are meant for it, and of an outside one. */
export function trustedTokens({ environment, database, logger, drain, now }: Platform, audience: string): SignedTokens {
  const {
    LENSFORGE_OAUTH_URL: oauth,
    LENSFORGE_OUTSIDE_ISSUER: issuer,
    LENSFORGE_OUTSIDE_JWKS_URL: jwksUrl,
    LENSFORGE_OUTSIDE_AUDIENCE: outsideAudience,
    LENSFORGE_JWKS_REFRESH_SECONDS: refreshSeconds,
  } = environment;
  const ground = { db: database.manager, logger, refreshMs: refreshSeconds * 1000 };
  const issuers = [
    sessionIssuer({
      ...ground,
      issuer: environment.issuer,
      audience,
      jwksUrl: `${oauth.replace(/\/+$/, '')}/id/jwks.json`,
    }),
  ];
  if (issuer && jwksUrl && outsideAudience) {
    issuers.push(outsideIssuer({ ...ground, issuer, jwksUrl, audience: outsideAudience }));
  }
  const tokens = new SignedTokens(issuers, now);
  drain.onExit('session tokens', () => tokens.close());
  return tokens;
}
