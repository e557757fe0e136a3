import { DomainError } from '@lensforge/core';
import { HttpFault, restFault } from '@lensforge/edge';
import type { SealFault } from './form-seal.js';

const messages: Readonly<Record<SealFault, string>> = {
  missing: 'The form came without its token (csrf_token). Nothing was done. Please try again.',
  cookieless:
    'Your browser did not send the cookie of this page. Nothing was done. Allow cookies for this site and try again.',
  old: 'The form was open for more than half an hour. Nothing was done. Please try again.',
  foreign:
    'The form belongs to another browser, window or site. Nothing was done. If you meant to send it, please try again.',
};

/** A form without a valid CSRF token. */
export class FormRefused extends HttpFault {
  constructor(readonly fault: SealFault) {
    super(403, 'forbidden', messages[fault]);
  }
}

/** A required field is empty; browsers check this before sending. */
export const incomplete = (what: string): DomainError => new DomainError('BAD_INPUT', what);

/** An error that the form shows when it is displayed again. */
export interface FormError {
  status: number;
  message: string;
  headers: Readonly<Record<string, string>>;
  /** The invalid field, if it is one field. */
  field?: string;
}

/** An error as a form shows it; server errors are thrown again. */
export function toFormError(error: unknown): FormError {
  const { status, message, headers } = restFault(error);
  if (status >= 500 && status !== 503) throw error;
  const field = error instanceof DomainError ? getFaultyField(error) : undefined;
  return { status, message: readable(message), headers: kept(headers), ...(field && { field }) };
}

/** Use cases begin with the invalid member, as in `handle: 3 to 64 characters`. */
function getFaultyField({ message, details }: DomainError): string | undefined {
  const named =
    details?.['field'] ??
    /^(email|password|next|current|handle|displayName|label|scopes|ttl|code):? /.exec(message)?.[1];
  return typeof named === 'string' ? named : undefined;
}

function readable(message: string): string {
  const bare = message.replace(/^[a-zA-Z]+: /, '');
  const sentence = bare.charAt(0).toUpperCase() + bare.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

const kept = ({ 'retry-after': wait }: Readonly<Record<string, string>>): Record<string, string> =>
  wait === undefined ? {} : { 'retry-after': wait };
