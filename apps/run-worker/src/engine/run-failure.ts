import type { ProviderFaultKind } from '../providers/provider.js';
import { ProviderFault } from '../providers/provider.js';

/** Why a run failed, as its owner reads it in `errorCode`. These names are kept. */
export type RunErrorCode =
  | 'MISSING_PARAMS'
  | 'PROVIDER_UNKNOWN'
  | 'PROVIDER_REFUSED'
  | 'PROVIDER_UNAUTHORIZED'
  | 'PROVIDER_LIMITED'
  | 'PROVIDER_UNAVAILABLE'
  | 'PROVIDER_FAILED'
  | 'OUTPUT_TOO_LARGE'
  | 'UNSUPPORTED'
  | 'INTERNAL';

/** The run failed and says why in words for its owner. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';

  constructor(
    readonly code: RunErrorCode,
    message: string,
    /** Set when the same may succeed later. */
    readonly retry?: { afterMs?: number | undefined },
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const codes: Record<ProviderFaultKind, RunErrorCode> = {
  refused: 'PROVIDER_REFUSED',
  unauthorized: 'PROVIDER_UNAUTHORIZED',
  limited: 'PROVIDER_LIMITED',
  unavailable: 'PROVIDER_UNAVAILABLE',
  broken: 'PROVIDER_FAILED',
};

export function failureOfProvider(key: string, reason: unknown): RunFailure {
  if (!(reason instanceof ProviderFault)) {
    return new RunFailure('PROVIDER_FAILED', `The provider ${key} failed unexpectedly`, undefined, reason);
  }
  const { kind, message, retryAfterMs: afterMs } = reason;
  const passing = kind === 'limited' || kind === 'unavailable';
  return new RunFailure(codes[kind], `The provider ${key} says: ${message}`, passing ? { afterMs } : undefined);
}
