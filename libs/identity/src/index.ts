export { readApprovers, readReviewers } from './accounts/read-approvers.js';
export { listEmailsOf, listOwnerEmails } from './accounts/list-owner-emails.js';
export { requireOperator, setOperator } from './accounts/operators.js';
export { closePerson } from './accounts/close-person.js';
export { delegationKinds } from './delegations/delegations.js';
export { suspendDelegations } from './delegations/suspend-delegations.js';
export {
  claimSuspensionNotice,
  completeSuspensionNotice,
  releaseSuspensionNotice,
} from './delegations/suspension-notices.js';
export type { SuspensionNotice } from './delegations/suspension-notices.js';
export { Account } from './accounts/account.entity.js';
export type { AccountKind } from './accounts/account.entity.js';
export { AiLenser } from './ai-lensers/ai-lenser.entity.js';
export { aiLenserNamed, ownedAiLenser, readableAiLenser } from './ai-lensers/ai-lenser-access.js';
export { consentFault, requireConsent } from './ai-lensers/require-consent.js';
export type { OwnAiLenser } from './ai-lensers/ai-lenser-access.js';
export { MAX_AI_LENSERS, limitAiLensers } from './ai-lensers/ai-lenser-limit.js';
export { archiveAiLenser } from './ai-lensers/archive-ai-lenser.js';
export { createAiLenser } from './ai-lensers/create-ai-lenser.js';
export { listAiLensers } from './ai-lensers/list-ai-lensers.js';
export { updateAiLenser } from './ai-lensers/update-ai-lenser.js';
export { ApiToken } from './tokens/api-token.entity.js';
export {
  attestedAuditKeys,
  currentAuditSigner,
  publishedAuditKeys,
  readAuditKeys,
  rotateAuditSigningKey,
} from './sessions/audit-signing-keys.js';
export type { Issuer } from './oauth/authorization-code.entity.js';
export { changePassword } from './accounts/change-password.js';
export { chooseHandle } from './accounts/choose-handle.js';
export { confirmSignUp } from './accounts/confirm-sign-up.js';
export { readableConnector } from './tokens/connector-access.js';
export { createAccount } from './accounts/create-account.js';
export { MAX_CONNECTORS, createConnector } from './tokens/create-connector.js';
export { createDeveloperToken } from './tokens/create-developer-token.js';
export type { NewDeveloperToken } from './tokens/create-developer-token.js';
export { createOrganisationToken } from './tokens/create-organisation-token.js';
export { createPerson } from './accounts/create-person.js';
export { createTokenFor } from './tokens/create-token-for.js';
export type { TokenForAccount } from './tokens/create-token-for.js';
export { createUser } from './accounts/create-user.js';
export { decideDeviceGrant } from './oauth/decide-device-grant.js';
export { endSessionByValue } from './sessions/end-session-by-value.js';
export { endSession, endAllSessions } from './sessions/end-session.js';
export { revokeTokensOfCreator } from './tokens/revoke-tokens-of-creator.js';
export { cliClientId, consoleClientId, ensureOwnClients } from './oauth/ensure-own-clients.js';
export { endOtherSessions, endOwnSession } from './sessions/end-own-session.js';
export { exchangeCode } from './oauth/exchange-code.js';
export type { CodeExchange } from './oauth/exchange-code.js';
export { findUserByEmail } from './accounts/find-user-by-email.js';
export { findBrowserSession } from './sessions/find-browser-session.js';
export type { SignedIn } from './sessions/find-browser-session.js';
export { findClient } from './oauth/find-client.js';
export { findCredentials, stillValid, touchCredentials } from './tokens/find-credentials.js';
export { findDeviceGrant } from './oauth/find-device-grant.js';
export type { DeviceGrantRequest } from './oauth/find-device-grant.js';
export { findServiceRole } from './tokens/find-service-role.js';
export { findExternalUsers, findSessions, touchSessions } from './sessions/find-sessions.js';
export type { ExternalUser } from './sessions/find-sessions.js';
export { deleteExpired } from './delete-expired.js';
export type { DeletedCounts } from './delete-expired.js';
export { hasApprovedClient } from './oauth/has-approved-client.js';
export { issueAnonymousToken } from './sessions/issue-anonymous-token.js';
export { issueCode } from './oauth/issue-code.js';
export { issueServiceRoleKey } from './tokens/issue-service-role-key.js';
export { issueAccessToken, issueSessionTokens } from './sessions/issue-session-tokens.js';
export type { AccessToken, SessionTokens } from './sessions/issue-session-tokens.js';
export { issueToken, tokenLifetimes } from './tokens/issue-token.js';
export type { TokenRequest } from './tokens/issue-token.js';
export { limitToken } from './tokens/limit-token.js';
export { listConnectors } from './tokens/list-connectors.js';
export { listSessions } from './sessions/list-sessions.js';
export { listTokens } from './tokens/list-tokens.js';
export { MAX_TOKENS } from './tokens/live-tokens.js';
export { Membership } from './accounts/membership.entity.js';
export { toNetwork } from './accounts/network.js';
export { OAuthClient } from './oauth/oauth-client.entity.js';
export { isOAuthErrorCode, oauthError } from './oauth/oauth-error.js';
export type { OAuthErrorCode } from './oauth/oauth-error.js';
export { openSession } from './sessions/open-session.js';
export { openSigningKeys } from './sessions/open-signing-keys.js';
export type { SigningKeys } from './sessions/open-signing-keys.js';
export { isCodeChallenge } from './oauth/pkce.js';
export { publishedKeys } from './sessions/published-keys.js';
export type { PublishedKey } from './sessions/published-keys.js';
export { readMe } from './accounts/read-me.js';
export { redeemDeviceGrant } from './oauth/redeem-device-grant.js';
export { readAllowedSchemes } from './oauth/allowed-schemes.js';
export {
  faultOfRedirectUri,
  isLoopback,
  isOnThisComputer,
  matchRedirectUri,
  displayUri,
} from './oauth/redirect-uri.js';
export { refreshSession } from './sessions/refresh-session.js';
export type { Refresh } from './sessions/refresh-session.js';
export { registerClient } from './oauth/register-client.js';
export { removeConnector } from './tokens/remove-connector.js';
export { resetPassword } from './accounts/reset-password.js';
export { revokeByValue } from './tokens/revoke-by-value.js';
export { revokeToken } from './tokens/revoke-token.js';
export { personalTokenKinds, revokeTokensOfUser } from './tokens/revoke-tokens-of-user.js';
export { revokeTokens } from './tokens/revoke-tokens.js';
export { administeredAccounts, administeredCommunity, administers, lockCommunity, roleIn } from './accounts/roles.js';
export type { Administrator } from './accounts/roles.js';
export { rotateConnector } from './tokens/rotate-connector.js';
export { replaceSigningKeys, rotateSigningKeys } from './sessions/rotate-signing-keys.js';
export { audiences } from './sessions/session-claims.js';
export type { SessionAudience } from './sessions/session-claims.js';
export { signIn } from './sessions/sign-in.js';
export { signOutElsewhere } from './sessions/sign-out-elsewhere.js';
export { startDeviceGrant } from './oauth/start-device-grant.js';
export { startPasswordReset } from './accounts/start-password-reset.js';
export { startSignUp } from './accounts/start-sign-up.js';
export { hashToken, makeToken, detectTokenKind } from './tokens/token.js';
export type { TokenKind } from './tokens/token.js';
export { updateMe } from './accounts/update-me.js';
export { findOrCreateExternalUser } from './accounts/external-user.js';
export type { ExternalIdentity } from './accounts/external-user.js';
export { User } from './accounts/user.entity.js';

export {
  confirmSecondFactor,
  pendingSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  resetSecondFactor,
  readSecondFactorState,
  startSecondFactor,
} from './second-factor/second-factor.js';
export type { SecondFactorState, TotpSecret } from './second-factor/second-factor.js';
export { signInWithCode } from './second-factor/sign-in-with-code.js';
export { stepAt, totpCode } from './second-factor/totp.js';
export { addPasskey, listPasskeys, newPasskeyOptions, removePasskey } from './passkeys/passkeys.js';
export type { Passkey } from './passkeys/passkeys.js';
export type { PasskeyChallenge } from './passkeys/challenge.js';
export { passkeySite } from './passkeys/passkey-site.js';
export type { PasskeySite } from './passkeys/passkey-site.js';
export { passkeyOptions, signInWithPasskey } from './passkeys/sign-in-with-passkey.js';
