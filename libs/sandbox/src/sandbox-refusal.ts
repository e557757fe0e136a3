import { DomainError, badInput } from '@lensforge/core';
import { SandboxFault } from './sandbox-fault.js';

const reasons = {
  too_slow: 'takes longer to compute than it may',
  too_much_memory: 'needs more memory to compute than it may',
  output_too_large: 'comes to a larger result than it may',
  failed: 'could not be computed',
} as const;

/** Converts a SandboxFault into a DomainError about `what`; returns other errors unchanged. */
export function sandboxRefusal(reason: unknown, what: string): unknown {
  if (!(reason instanceof SandboxFault)) return reason;
  if (reason.kind === 'busy') {
    return new DomainError('THROTTLED', 'This account has too many computations at a time; try again in a second', {
      retryAfter: 1,
    });
  }
  return badInput('', `${what} ${reasons[reason.kind]}`);
}
