import type { ApiMeta, ErrorEnvelope, SuccessEnvelope } from '@lensforge/contracts';
import type { HttpFault } from './rest-errors.js';

type Paging = Omit<ApiMeta, 'requestId' | 'durationMs'>;

/** A page of a list: its items, and paging members for `meta`. */
export class Listed<T> {
  constructor(
    readonly items: readonly T[],
    readonly paging: Paging,
  ) {}
}

export const listed = <T>(items: readonly T[], paging: Paging): Listed<T> => new Listed(items, paging);

export function successEnvelope(data: unknown, requestId: string, durationMs: number): SuccessEnvelope<unknown> {
  const meta: ApiMeta = { requestId, durationMs };
  return data instanceof Listed
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
