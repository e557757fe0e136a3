import type { ApiMeta, ErrorEnvelope, SuccessEnvelope } from '@lensforge/contracts';
import type { HttpFault } from './rest-errors.js';

type Paging = Omit<ApiMeta, 'requestId' | 'durationMs'>;

/** The response to a list request: items for `data`, and paging members for `meta`. */
export class ListResponse<T> {
  constructor(
    readonly items: readonly T[],
    readonly paging: Paging,
  ) {}
}

export function successEnvelope(data: unknown, requestId: string, durationMs: number): SuccessEnvelope<unknown> {
  const meta: ApiMeta = { requestId, durationMs };
  return data instanceof ListResponse
    ? { data: data.items, meta: { ...meta, ...data.paging }, error: null }
    : { data, meta, error: null };
}

export function errorEnvelope(
  { code, message, details }: HttpFault,
  requestId: string,
  durationMs: number,
): ErrorEnvelope {
  return { error: { code, message, ...(details && { details: { ...details } }) }, meta: { requestId, durationMs } };
}
