import { platformActor, systemClock } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { ClaimedRun } from '@lensforge/runs';
import { sponsoredModels } from '@lensforge/runs';
import type { Answer, AskParts, Asking } from './ask.js';
import { ask, promptOfLens } from './ask.js';
import type { Attempt } from './attempt.js';
import type { DeltaStream } from './deltas.js';
import type { ByokLeases } from '../byok-leases.js';
import { RunFailure } from './run-failure.js';

export interface LensParts extends AskParts {
  onNext: NonNullable<Asking['onNext']>;
  keys: ByokLeases;
}

/** The node id under which a lens run tells its output. */
export const lensNode = 'lens';

/** Executes a lens: its pinned text with the run's parameters goes to the provider, the answer comes back in pieces. */
export async function executeLens(parts: LensParts, attempt: Attempt, deltas: DeltaStream): Promise<Answer> {
  const { run, signal } = attempt;
  const { modelId, outputSchema, sampling } = run;
  const prompt = await promptOfLens(parts.db, pinnedVersion(run));
  const lent = await parts.keys.lentTo(run);
  const ctx = { actor: platformActor, db: parts.db, now: systemClock, requestId: run.requestId };
  const among = await withDbRetry(() => sponsoredModels(ctx, run.sponsoredLensId));
  const question = { ...prompt, modelId, outputSchema, sampling, lent, among, idempotencyKey: `${run.id}:${lensNode}` };
  return ask(parts, question, {
    signal,
    beforeCall: () => attempt.refuseWhenStale(),
    onDelta: (text) => deltas.add(text),
    onNext: parts.onNext,
  });
}

function pinnedVersion({ lensVersionId, params }: ClaimedRun): { lensVersionId: string; params: ClaimedRun['params'] } {
  if (lensVersionId !== null) return { lensVersionId, params };
  throw new RunFailure('INTERNAL', 'The run does not say which version of its lens it is for');
}
