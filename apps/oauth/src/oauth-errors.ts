import { DomainError } from '@lensforge/core';
import { type OAuthErrorCode, isOAuthErrorCode } from '@lensforge/identity';
import type { HttpFault } from '@lensforge/edge';

/** An error response as in RFC 6749, RFC 7591 and RFC 8628. */
export const oauthRefusal = (fault: HttpFault): object => refusalAs(fault, 'invalid_request');

/** The same for registrations, with `invalid_client_metadata` as the default code. */
export const registrationRefusal = (fault: HttpFault): object => refusalAs(fault, 'invalid_client_metadata');

function refusalAs({ status, message, cause }: HttpFault, otherwise: OAuthErrorCode): object {
  const code = cause instanceof DomainError ? cause.details?.['error'] : undefined;
  const error = isOAuthErrorCode(code) ? code : (byStatus[status] ?? (status >= 500 ? 'server_error' : otherwise));
  return { error, error_description: printable(message) };
}

const byStatus: Readonly<Record<number, OAuthErrorCode>> = {
  401: 'invalid_client',
  403: 'access_denied',
  405: 'invalid_request',
  429: 'temporarily_unavailable',
  503: 'temporarily_unavailable',
};

// RFC 6749 allows only printable ASCII without quotes and backslashes in a description.
const printable = (text: string): string => text.replace(/["\\]/g, "'").replace(/[^ -~]/g, '?');
