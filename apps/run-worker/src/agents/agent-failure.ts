import type { Failed } from '../engine/workflow/node-events.js';
import { failed } from '../nodes/node-type.js';
import { RunFailure } from '../engine/run-failure.js';
import { DomainError } from '@lensforge/core';

/** Ends an agent without an answer. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure';

  constructor(readonly outcome: Failed) {
    super(outcome.message);
  }

  /** True when the whole node must fail, also when another agent has called this one. */
  get endsNode(): boolean {
    return this.outcome.endsRun === true || this.outcome.retry === 'passing';
  }
}

export const finalFailure = (code: string, message: string): AgentFailure =>
  new AgentFailure(failed(code, message, { retry: 'final' }));

/** The failure of an agent for a failure of its provider or a refusal by a use case; other reasons stay as they are. */
export function asAgentFailure(reason: unknown): unknown {
  if (reason instanceof RunFailure) {
    const { code, message, retry } = reason;
    return new AgentFailure(
      failed(code, message, retry ? { retry: 'passing', afterMs: retry.afterMs } : { retry: 'final' }),
    );
  }
  return reason instanceof DomainError ? finalFailure(reason.code, reason.message) : reason;
}
