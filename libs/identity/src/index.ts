export { Account } from './account.entity.js';
export type { AccountKind } from './account.entity.js';
export { ApiToken } from './api-token.entity.js';
export * from './audit-signing-keys.js';
export { AuthorizationCode, type Issuer } from './authorization-code.entity.js';
export * from './change-password.js';
export * from './choose-handle.js';
export * from './confirm-sign-up.js';
export { Connector } from './connector.entity.js';
export { readableConnector } from './connector-access.js';
export * from './create-account.js';
export * from './create-connector.js';
export * from './create-organisation-token.js';
export * from './create-user.js';
export * from './decide-device-grant.js';
export { DeviceGrant } from './device-grant.entity.js';
export { readUserCode, shownUserCode } from './device-user-code.js';
export * from './end-session-by-value.js';
export * from './end-session.js';
export { endTokensOfCreator, type FormerAdministrator } from './end-tokens-of-creator.js';
export * from './ensure-own-clients.js';
export * from './exchange-code.js';
export * from './find-browser-session.js';
export * from './find-client.js';
export * from './find-credentials.js';
export * from './find-device-grant.js';
export * from './find-service-role.js';
export * from './find-sessions.js';
export * from './forget-expired.js';
export { hasApprovedClient, type ClientApproval } from './has-approved-client.js';
export { issueCode, type CodeOrder } from './issue-code.js';
export * from './issue-service-role-key.js';
export * from './issue-anonymous-token.js';
export * from './issue-session-tokens.js';
export * from './issue-token.js';
export { MOST_TOKENS } from './live-tokens.js';
export { liveSession, sessionDays } from './live-session.js';
export { OAuthClient } from './oauth-client.entity.js';
export * from './oauth-error.js';
export { networkOf } from './network.js';
export * from './open-session.js';
export * from './open-signing-keys.js';
export { hashPassword, isPassword, needsRehash } from './password.js';
export { passwordLength } from './password-rules.js';
export { answersChallenge, isCodeChallenge } from './pkce.js';
export * from './redeem-device-grant.js';
export * from './redirect-uri.js';
export * from './published-keys.js';
export * from './refresh-session.js';
export * from './register-client.js';
export * from './reset-password.js';
export * from './revoke-by-value.js';
export * from './revoke-token.js';
export * from './revoke-tokens.js';
export { personalTokenKinds, revokeTokensOfUser } from './revoke-tokens-of-user.js';
export * from './rotate-signing-keys.js';
export * from './session-claims.js';
export { Session } from './session.entity.js';
export { signIn, type SignIn } from './sign-in.js';
export * from './sign-out-elsewhere.js';
export * from './start-device-grant.js';
export * from './start-password-reset.js';
export * from './start-sign-up.js';
export * from './token.js';
export * from './user-of-outside-identity.js';
export * from './limit-token.js';
export * from './list-connectors.js';
export * from './list-tokens.js';
export { Membership } from './membership.entity.js';
export * from './read-me.js';
export * from './remove-connector.js';
export * from './roles.js';
export * from './rotate-connector.js';
export * from './update-me.js';
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
