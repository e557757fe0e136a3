/** Error codes of use cases. The gateways translate them to HTTP statuses and tool errors. */
export const errorCodes = [
  'BAD_INPUT',
  'UNAUTHENTICATED',
  'INSUFFICIENT_SCOPE',
  'PERMISSION_DENIED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
  'INSUFFICIENT_CREDITS',
  'MISSING_PARAMS',
  'MISSING_LENSER',
  'SLOTS_FULL',
  'CONFIRMATION_REQUIRED',
  'INVALID_TRANSITION',
  'THROTTLED',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNPROCESSABLE_PARAMS',
  'PARTNER_ERROR',
  'UNAVAILABLE',
  'INTERNAL',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Values of `error.code` in the REST envelope. */
export const restErrorCodes = [
  'invalid_request',
  'unauthorized',
  'insufficient_scope',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'idempotency_key_reused',
  'insufficient_credits',
  'payload_too_large',
  'unsupported_media_type',
  'unprocessable_params',
  'rate_limited',
  'internal_error',
  'service_unavailable',
  'partner_error',
] as const;

export type RestErrorCode = (typeof restErrorCodes)[number];
