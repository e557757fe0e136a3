import type { RestErrorCode } from './error-codes.js';

export interface ApiMeta {
  requestId?: string;
  durationMs?: number;
  limit?: number;
  offset?: number;
  total?: number;
  hasNextPage?: boolean;
  nextCursor?: string;
}

export interface ApiError {
  code: RestErrorCode;
  message: string;
  details?: Record<string, unknown>;
}

export interface SuccessEnvelope<T> {
  data: T;
  meta: ApiMeta;
  error: null;
}

export interface ErrorEnvelope {
  error: ApiError;
  meta: ApiMeta;
}
