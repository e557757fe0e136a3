export { Account } from './account.entity.js';
export type { AccountKind } from './account.entity.js';
export { ApiToken } from './api-token.entity.js';
export {
  attestedAuditKeys,
  currentAuditSigner,
  publishedAuditKeys,
  readAuditKeys,
  rotateAuditSigningKey,
} from './audit-signing-keys.js';
export type { Issuer } from './authorization-code.entity.js';
export { changePassword } from './change-password.js';
export { chooseHandle } from './choose-handle.js';
export { confirmSignUp } from './confirm-sign-up.js';
export { readableConnector } from './connector-access.js';
export { createAccount } from './create-account.js';
export { MOST_CONNECTORS, createConnector } from './create-connector.js';
export { createOrganisationToken } from './create-organisation-token.js';
export { createUser } from './create-user.js';
export { decideDeviceGrant } from './decide-device-grant.js';
export { endSessionByValue } from './end-session-by-value.js';
export { endSession, endSessionsOf } from './end-session.js';
export { endTokensOfCreator } from './end-tokens-of-creator.js';
export { cliClientId, ensureOwnClients } from './ensure-own-clients.js';
export { exchangeCode } from './exchange-code.js';
export type { CodeExchange } from './exchange-code.js';
export { findBrowserSession } from './find-browser-session.js';
export type { SignedIn } from './find-browser-session.js';
export { findClient } from './find-client.js';
export { findCredentials, stillValid, touchCredentials } from './find-credentials.js';
export { findDeviceGrant } from './find-device-grant.js';
export type { AskedDeviceGrant } from './find-device-grant.js';
export { findServiceRole } from './find-service-role.js';
export { findOutsideUsers, findSessions, touchSessions } from './find-sessions.js';
export type { OutsideUser } from './find-sessions.js';
export { forgetExpired } from './forget-expired.js';
export type { Forgotten } from './forget-expired.js';
export { hasApprovedClient } from './has-approved-client.js';
export { issueAnonymousToken } from './issue-anonymous-token.js';
export { issueCode } from './issue-code.js';
export { issueServiceRoleKey } from './issue-service-role-key.js';
export { issueSessionTokens } from './issue-session-tokens.js';
export type { SessionTokens } from './issue-session-tokens.js';
export { issueToken, tokenLifetimes } from './issue-token.js';
export type { TokenOrder } from './issue-token.js';
export { limitToken } from './limit-token.js';
export { listConnectors } from './list-connectors.js';
export { listTokens } from './list-tokens.js';
export { liveSession } from './live-session.js';
export { MOST_TOKENS } from './live-tokens.js';
export { Membership } from './membership.entity.js';
export { networkOf } from './network.js';
export { OAuthClient } from './oauth-client.entity.js';
export { isOAuthErrorCode, oauthError } from './oauth-error.js';
export type { OAuthErrorCode } from './oauth-error.js';
export { openSession } from './open-session.js';
export { openSigningKeys } from './open-signing-keys.js';
export type { SigningKeys } from './open-signing-keys.js';
export { isCodeChallenge } from './pkce.js';
export { publishedKeys } from './published-keys.js';
export type { PublishedKey } from './published-keys.js';
export { readMe } from './read-me.js';
export { redeemDeviceGrant } from './redeem-device-grant.js';
export {
  faultOfAllowedScheme,
  faultOfRedirectUri,
  isLoopback,
  isOnThisComputer,
  redirectUriOf,
  shownUri,
} from './redirect-uri.js';
export { refreshSession } from './refresh-session.js';
export type { Refresh } from './refresh-session.js';
export { registerClient } from './register-client.js';
export { removeConnector } from './remove-connector.js';
export { resetPassword } from './reset-password.js';
export { revokeByValue } from './revoke-by-value.js';
export { revokeToken } from './revoke-token.js';
export { personalTokenKinds, revokeTokensOfUser } from './revoke-tokens-of-user.js';
export { revokeTokens } from './revoke-tokens.js';
export { administeredCommunity, administers, holdCommunity, roleIn } from './roles.js';
export type { Administrator } from './roles.js';
export { rotateConnector } from './rotate-connector.js';
export { replaceSigningKeys, rotateSigningKeys } from './rotate-signing-keys.js';
export { audiences } from './session-claims.js';
export type { SessionAudience } from './session-claims.js';
export { signIn } from './sign-in.js';
export { signOutElsewhere } from './sign-out-elsewhere.js';
export { developerScopes, startDeviceGrant } from './start-device-grant.js';
export { startPasswordReset } from './start-password-reset.js';
export { startSignUp } from './start-sign-up.js';
export { hashToken, makeToken, tokenKindOf } from './token.js';
export type { TokenKind } from './token.js';
export { updateMe } from './update-me.js';
export { userOfOutsideIdentity } from './user-of-outside-identity.js';
export type { OutsideIdentity } from './user-of-outside-identity.js';
export { User } from './user.entity.js';

import { Account } from './account.entity.js';
import { ApiToken } from './api-token.entity.js';
import { AuthorizationCode } from './authorization-code.entity.js';
import { Connector } from './connector.entity.js';
import { DeviceGrant } from './device-grant.entity.js';
import { Membership } from './membership.entity.js';
import { OAuthClient } from './oauth-client.entity.js';
import { Session } from './session.entity.js';
import { User } from './user.entity.js';
export const identityEntities = [
  Account,
  User,
  ApiToken,
  Session,
  Membership,
  Connector,
  OAuthClient,
  AuthorizationCode,
  DeviceGrant,
] as const;
