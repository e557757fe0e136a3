import type { ProviderFaultKind } from '../providers/provider.js';
import { ProviderFault } from '../providers/provider.js';

/** Why a run failed, as its owner reads it in `errorCode`. These names are kept. */
export type RunErrorCode =
  | 'MISSING_PARAMS'
  | 'PROVIDER_UNKNOWN'
  | 'PROVIDER_REFUSED'
  | 'PROVIDER_FILTERED'
  | 'PROVIDER_UNAUTHORIZED'
  | 'PROVIDER_OUT_OF_CREDIT'
  | 'PROVIDER_LIMITED'
  | 'PROVIDER_UNAVAILABLE'
  | 'PROVIDER_FAILED'
  | 'KEY_REVOKED'
  | 'KEY_NOT_OPENED'
  | 'OUTPUT_TOO_LARGE'
  | 'OUTPUT_NOT_VALID'
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
    /** Another provider may do better. */
    readonly next = false,
  ) {
    super(message, { cause });
  }
}

const codes: Record<ProviderFaultKind, RunErrorCode> = {
  refused: 'PROVIDER_REFUSED',
  filtered: 'PROVIDER_FILTERED',
  unauthorized: 'PROVIDER_UNAUTHORIZED',
  unpaid: 'PROVIDER_OUT_OF_CREDIT',
  limited: 'PROVIDER_LIMITED',
  unavailable: 'PROVIDER_UNAVAILABLE',
  broken: 'PROVIDER_FAILED',
};

/** What another try of the same may mend, and what another provider may. */
const passing: readonly ProviderFaultKind[] = ['limited', 'unavailable'];
const avoidable: readonly ProviderFaultKind[] = [...passing, 'unpaid', 'broken'];

export function failureOfProvider(key: string, reason: unknown): RunFailure {
  if (!(reason instanceof ProviderFault)) {
    return new RunFailure('PROVIDER_FAILED', `The provider ${key} failed unexpectedly`, undefined, reason, true);
  }
  const { kind, message, retryAfterMs: afterMs } = reason;
  const retry = passing.includes(kind) ? { afterMs } : undefined;
  return new RunFailure(
    codes[kind],
    `The provider ${key} says: ${message}`,
    retry,
    undefined,
    avoidable.includes(kind),
  );
}
