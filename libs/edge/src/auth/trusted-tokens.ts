import { outsideIssuer } from './outside-issuer.js';
import type { Platform } from '../boot/platform.js';
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
  const own = sessionIssuer({
    ...ground,
    issuer: environment.issuer,
    isAlsoNamed: (name) => environment.isOwnIssuer(name),
    audience,
    jwksUrl: `${oauth.replace(/\/+$/, '')}/id/jwks.json`,
  });
  const isOutside = issuer && jwksUrl && outsideAudience;
  const outside = isOutside ? [outsideIssuer({ ...ground, issuer, jwksUrl, audience: outsideAudience })] : [];
  // The outside issuer has one exact name, which may look like one of ours.
  const tokens = new SignedTokens([...outside, own], now);
  drain.onExit('session tokens', () => tokens.close());
  return tokens;
}
