import { ProviderFault, type ProviderFaultKind } from '../providers/provider.js';

/** The values of `errorCode`; clients depend on these names. */
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
  | 'NOTHING_TO_JUDGE'
  | 'NOT_RECORDED'
  | 'BUDGET_EXCEEDED'
  | 'INTERNAL';

interface RunFailureOptions {
  /** Set when a retry may succeed. */
  retry?: { afterMs?: number | undefined } | undefined;
  /** True when another provider may succeed. */
  next?: boolean;
  cause?: unknown;
}

/** A failure of a run with a message for its owner. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly retry: RunFailureOptions['retry'];
  readonly next: boolean;

  constructor(
    readonly code: RunErrorCode,
    message: string,
    { retry, next = false, cause }: RunFailureOptions = {},
  ) {
    super(message, { cause });
    this.retry = retry;
    this.next = next;
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

/** Faults after which a retry may succeed, and faults after which another provider may. */
const transient: readonly ProviderFaultKind[] = ['limited', 'unavailable'];
const avoidable: readonly ProviderFaultKind[] = [...transient, 'unpaid', 'broken'];

export function failureOfProvider(key: string, reason: unknown): RunFailure {
  if (!(reason instanceof ProviderFault)) {
    return new RunFailure('PROVIDER_FAILED', `The provider ${key} failed unexpectedly`, { next: true, cause: reason });
  }
  const { kind, message, retryAfterMs: afterMs } = reason;
  return new RunFailure(codes[kind], `The provider ${key} says: ${message}`, {
    retry: transient.includes(kind) ? { afterMs } : undefined,
    next: avoidable.includes(kind),
  });
}
