export const sandboxFaults = {
  too_slow: 'The computation took longer than it may',
  too_much_memory: 'The computation needed more memory than it may',
  output_too_large: 'The result of the computation is larger than it may be',
  busy: 'Too many computations are waiting; try again in a moment',
  failed: 'The computation failed',
} as const;

export type SandboxFaultKind = keyof typeof sandboxFaults;

/** The reason why a sandbox task has no result. */
export class SandboxFault extends Error {
  override readonly name = 'SandboxFault';

  constructor(
    readonly kind: SandboxFaultKind,
    message: string = sandboxFaults[kind],
  ) {
    super(message);
  }
}
