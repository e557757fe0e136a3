import { outsideIssuer } from './outside-issuer.js';
import type { Platform } from '../boot/platform.js';
import { sessionIssuer } from './session-issuer.js';
import { SignedTokens } from './signed-tokens.js';

/** The verifier of session tokens for an audience: those of the platform's issuer and of the external one, if any. */
export function trustedTokens(platform: Platform, audience: string): SignedTokens {
  const {
    LENSFORGE_OUTSIDE_ISSUER: issuer,
    LENSFORGE_OUTSIDE_JWKS_URL: jwksUrl,
    LENSFORGE_OUTSIDE_AUDIENCE: outsideAudience,
  } = platform.environment;
  const own = sessionIssuer(platform, audience);
  const hasOutside = issuer && jwksUrl && outsideAudience;
  const outside = hasOutside ? [outsideIssuer(platform, { issuer, jwksUrl, audience: outsideAudience })] : [];
  // The external issuer comes first: its exact name may look like one of the platform's.
  const tokens = new SignedTokens([...outside, own], platform.now);
  platform.drain.onExit('session tokens', () => tokens.close());
  return tokens;
}
