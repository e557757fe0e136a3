import type { RunCause, RunKind, Sampling } from '@lensforge/contracts';
import type { NewRunEvent } from './new-run-events.js';

/** A run with everything that a worker needs to execute it; `attempt` is the fencing token of its writes. */
export interface ClaimedRun {
  id: string;
  accountId: string;
  requestId: string;
  kind: RunKind;
  attempt: number;
  lensVersionId: string | null;
  /** The lens whose sponsor pays for the run; null for other funding sources. */
  sponsoredLensId: string | null;
  workflowId: string | null;
  params: Record<string, unknown>;
  outputSchema: Record<string, unknown> | null;
  sampling: Sampling | null;
  /** null for a workflow run whose nodes have their own models, and for a judging without a model. */
  modelId: string | null;
  hold: number;
  byokKeyId: string | null;
  traceparent: string | null;
  cause: RunCause | null;
  msToDeadline: number;
  /** The sequence number of its last event. */
  sequence: number;
}

/** A row of `selectClaimed`. */
export interface ClaimedRow extends Omit<ClaimedRun, 'sequence'> {
  generation: number;
  before: number;
  events: [NewRunEvent];
  at: string;
}

export function toClaimedRun({ generation: _generation, at: _at, before, events, ...run }: ClaimedRow): ClaimedRun {
  return { ...run, sequence: before + events.length };
}
