import { type ErrorCode, InvalidInput, type Issue, type RequestIssue, type RestErrorCode } from '@lensforge/contracts';
import { DomainError } from '@lensforge/core';
import { getErrorCode, isTransient } from '@lensforge/database';
import { isError } from './is-error.js';

type Details = Readonly<Record<string, unknown>>;

interface HttpFaultOptions extends ErrorOptions {
  headers?: Readonly<Record<string, string>>;
  details?: Details | undefined;
}

/** An error with an HTTP status, for faults that use cases do not know: credentials, methods, media types, rates. */
export class HttpFault extends Error {
  override readonly name = 'HttpFault';

  readonly headers: Readonly<Record<string, string>>;
  readonly details: Details | undefined;

  constructor(
    readonly status: number,
    readonly code: RestErrorCode,
    message: string,
    options: HttpFaultOptions = {},
  ) {
    super(message, options);
    this.headers = options.headers ?? {};
    this.details = options.details;
  }
}

const statuses: Readonly<Record<ErrorCode, readonly [status: number, code: RestErrorCode]>> = {
  BAD_INPUT: [400, 'invalid_request'],
  MISSING_PARAMS: [400, 'invalid_request'],
  MISSING_LENSER: [400, 'invalid_request'],
  CONFIRMATION_REQUIRED: [400, 'invalid_request'],
  IDEMPOTENCY_KEY_REUSED: [400, 'idempotency_key_reused'],
  INSUFFICIENT_CREDITS: [400, 'insufficient_credits'],
  UNAUTHENTICATED: [401, 'unauthorized'],
  INSUFFICIENT_SCOPE: [403, 'insufficient_scope'],
  PERMISSION_DENIED: [403, 'forbidden'],
  FORBIDDEN: [403, 'forbidden'],
  NOT_FOUND: [404, 'not_found'],
  CONFLICT: [409, 'conflict'],
  SLOTS_FULL: [409, 'conflict'],
  INVALID_TRANSITION: [409, 'conflict'],
  PAYLOAD_TOO_LARGE: [413, 'payload_too_large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'unsupported_media_type'],
  UNPROCESSABLE_PARAMS: [422, 'unprocessable_params'],
  THROTTLED: [429, 'rate_limited'],
  RATE_LIMITED: [429, 'rate_limited'],
  PARTNER_ERROR: [500, 'partner_error'],
  UNAVAILABLE: [503, 'service_unavailable'],
  INTERNAL: [500, 'internal_error'],
};

/** Translates every thrown error to a status and an `error.code`. */
export function restFault(error: unknown): HttpFault {
  if (error instanceof HttpFault) return error;
  if (error instanceof DomainError) return fromDomain(error);
  if (error instanceof InvalidInput) return invalid(describeIssues(error.issues), error.issues);
  return fromFramework(error) ?? fromDatabase(error) ?? internal();
}

const maxIssuesInMessage = 3;

function describeIssues(issues: readonly Issue[]): string {
  const described = issues.slice(0, maxIssuesInMessage).map(({ path, message }) => {
    const member = path.split('.').at(-1) ?? '';
    return path === '' ? `it ${message}` : message.startsWith(`${member} `) ? message : `${path} ${message}`;
  });
  const more = issues.length > maxIssuesInMessage ? `; and ${issues.length - maxIssuesInMessage} more` : '';
  return `The request is not valid: ${described.join('; ')}${more}`;
}

function fromDomain(error: DomainError): HttpFault {
  const [status, code] = statuses[error.code];
  const headers = headersFor(status, error.details);
  return new HttpFault(status, code, error.message, {
    headers,
    details: (shapes[code] ?? unchanged)(error),
    cause: error,
  });
}

const unchanged = ({ details }: DomainError): Details | undefined => details;
const none = (): undefined => undefined;

/** Converts the details of a domain error to the shape that `errorDetails` of the contracts declares for its code. */
const shapes: Readonly<Partial<Record<RestErrorCode, (error: DomainError) => Details | undefined>>> = {
  invalid_request: ({ message, details: { issues, missing, reason } = {} }) => ({
    issues: issues ?? (Array.isArray(missing) ? missing.map(isRequired) : [{ path: '', message }]),
    ...(missing !== undefined && { missing }),
    ...(reason !== undefined && { reason }),
  }),
  unauthorized: none,
  insufficient_scope: ({ details: { scope } = {} }) => ({ scopes: [scope] }),
  rate_limited: ({ details = {} }) => ({ ...details, retryAfter: secondsIn(details) }),
};

const isRequired = (label: unknown): RequestIssue => ({ path: `params.${String(label)}`, message: 'is required' });

function headersFor(status: number, details: Details = {}): Record<string, string> {
  const { scope } = details;
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  if (status === 403 && typeof scope === 'string') return { 'www-authenticate': scopeChallenge([scope]) };
  if (status === 429 || status === 503) return { 'retry-after': String(secondsIn(details)) };
  return {};
}

const secondsIn = ({ retryAfter }: Details): number => Math.max(1, Number(retryAfter) || 1);

export const scopeChallenge = (scopes: readonly string[]): string =>
  `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`;

const busy = /^(57014|55P03|53...)$/;

function fromDatabase(error: unknown): HttpFault | undefined {
  if (isTransient(error)) return unavailable();
  const state = getErrorCode(error);
  if (state === undefined || !/^[0-9A-Z]{5}$/.test(state)) return undefined;
  if (busy.test(state)) return unavailable();
  if (state === '23505' || state === '23503') {
    return new HttpFault(
      409,
      'conflict',
      'The change conflicts with something that already exists, or removes something that is still used',
    );
  }
  if (/^2[23]/.test(state)) return invalid('A value of the request cannot be stored: check its form and size');
  return undefined;
}

/** Translates an error of a framework that has only a status. */
function fromFramework(error: unknown): HttpFault | undefined {
  if (!isError(error)) return undefined;
  const { statusCode, status } = error as { statusCode?: unknown; status?: unknown };
  const found = typeof statusCode === 'number' ? statusCode : status;
  if (typeof found !== 'number' || found < 400 || found > 499) return undefined;
  return byStatus[found] ?? invalid('The request does not follow HTTP: check its headers and the length of its body');
}

export const invalid = (
  message: string,
  issues: readonly RequestIssue[] = [{ path: '', message }],
  status: 400 | 408 | 431 = 400,
): HttpFault => new HttpFault(status, 'invalid_request', message, { details: { issues } });

const unavailable = () =>
  new HttpFault(503, 'service_unavailable', 'The service cannot answer at the moment: try again in a second', {
    headers: {
      'retry-after': '1',
    },
  });
const internal = () =>
  new HttpFault(
    500,
    'internal_error',
    'An unexpected fault of the server; try again, and if it stays, report the request id in meta',
  );

const byStatus: Readonly<Record<number, HttpFault>> = {
  401: new HttpFault(401, 'unauthorized', 'This needs a valid bearer token', {
    headers: { 'www-authenticate': 'Bearer' },
  }),
  403: new HttpFault(403, 'forbidden', 'The credential may not do this'),
  404: new HttpFault(404, 'not_found', 'There is nothing under this path'),
  415: new HttpFault(415, 'unsupported_media_type', 'The body must be application/json in UTF-8'),
};
