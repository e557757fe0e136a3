import type { ErrorDetails } from './generated/shapes.js';

export type ErrorCode = keyof ErrorDetails;

/** An error of this client. `requestId` identifies the request in the logs of the platform, if it got an answer. */
export class LensforgeError extends Error {
  readonly requestId: string | undefined;

  constructor(message: string, options: ErrorOptions & { requestId?: string | undefined } = {}) {
    super(message, options);
    this.name = new.target.name;
    this.requestId = options.requestId;
  }
}

/** The platform could not be reached, or the connection was lost. */
export class ConnectionError extends LensforgeError {}

/** No answer within the time-out of the request. */
export class TimeoutError extends LensforgeError {}

/** A webhook delivery without a valid signature. */
export class WebhookVerificationError extends LensforgeError {}

export interface ErrorAnswer<C extends ErrorCode = ErrorCode> {
  status: number;
  code: C;
  message: string;
  details: ErrorDetails[C];
  requestId: string | undefined;
  /** Seconds to wait, from the header Retry-After. */
  retryAfter: number | undefined;
}

/** The platform refused the request. */
export class ApiError<C extends ErrorCode = ErrorCode> extends LensforgeError {
  readonly status: number;
  readonly code: C;
  readonly details: ErrorDetails[C];
  readonly retryAfter: number | undefined;

  constructor({ status, code, message, details, requestId, retryAfter }: ErrorAnswer<C>) {
    super(message, { requestId });
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

export class InvalidRequestError extends ApiError<'invalid_request'> {}
export class UnauthorizedError extends ApiError<'unauthorized'> {}
export class InsufficientScopeError extends ApiError<'insufficient_scope'> {}
export class ForbiddenError extends ApiError<'forbidden'> {}
export class NotFoundError extends ApiError<'not_found'> {}
export class MethodNotAllowedError extends ApiError<'method_not_allowed'> {}
export class ConflictError extends ApiError<'conflict'> {}
export class IdempotencyKeyReusedError extends ApiError<'idempotency_key_reused'> {}
export class InsufficientCreditsError extends ApiError<'insufficient_credits'> {}
export class PayloadTooLargeError extends ApiError<'payload_too_large'> {}
export class UnsupportedMediaTypeError extends ApiError<'unsupported_media_type'> {}
export class UnprocessableParamsError extends ApiError<'unprocessable_params'> {}
export class RateLimitedError extends ApiError<'rate_limited'> {}
export class InternalServerError extends ApiError<'internal_error'> {}
export class ServiceUnavailableError extends ApiError<'service_unavailable'> {}
export class PartnerError extends ApiError<'partner_error'> {}

const classes: { readonly [C in ErrorCode]: new (answer: ErrorAnswer<C>) => ApiError<C> } = {
  invalid_request: InvalidRequestError,
  unauthorized: UnauthorizedError,
  insufficient_scope: InsufficientScopeError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  conflict: ConflictError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  insufficient_credits: InsufficientCreditsError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  unprocessable_params: UnprocessableParamsError,
  rate_limited: RateLimitedError,
  internal_error: InternalServerError,
  service_unavailable: ServiceUnavailableError,
  partner_error: PartnerError,
};

const isKnown = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(classes, code);

/** Codes for answers without a known one, such as those of a proxy. */
const toErrorCode = (status: number): ErrorCode => {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status >= 502) return 'service_unavailable';
  return status >= 500 ? 'internal_error' : 'invalid_request';
};

/** Seconds to wait, from a header in seconds or as a date. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

interface Body {
  error?: { code?: unknown; message?: unknown; details?: unknown } | null;
  meta?: { requestId?: unknown };
  reason?: unknown;
}

const parsed = (text: string): Body => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

const getText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The error of an answer with a status of 400 and more. */
export function toApiError({ status, headers }: Response, text: string): ApiError {
  const { error, meta, reason } = parsed(text);
  const code = isKnown(error?.code) ? error.code : toErrorCode(status);
  const message =
    getText(error?.message) ?? getText(reason) ?? `The server answered with the status ${status} and no explanation`;
  const create = classes[code] as new (answer: ErrorAnswer) => ApiError;
  return new create({
    status,
    code,
    message,
    details: error?.details as ErrorDetails[ErrorCode],
    requestId: getText(meta?.requestId) ?? headers.get('x-request-id') ?? undefined,
    retryAfter: readRetryAfter(headers),
  });
}
