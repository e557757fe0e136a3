import { DomainError } from '@lensforge/core';

/** The codes of RFC 6749, 7591, 8628, 8707 and 9207 that are used here. */
export const oauthErrorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unsupported_token_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'server_error',
  'temporarily_unavailable',
] as const;

export type OAuthErrorCode = (typeof oauthErrorCodes)[number];

export const isOAuthErrorCode = (value: unknown): value is OAuthErrorCode =>
  (oauthErrorCodes as readonly unknown[]).includes(value);

/** An error whose OAuth code is in `details.error`. */
export const oauthError = (error: OAuthErrorCode, message: string): DomainError =>
  new DomainError(error === 'invalid_client' ? 'UNAUTHENTICATED' : 'BAD_INPUT', message, { error });
