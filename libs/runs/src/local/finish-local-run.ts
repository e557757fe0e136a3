import type { LocalRunFinished, RunEvent } from '@lensforge/contracts';
import { type Context, badInput, newId } from '@lensforge/core';
import { endRun } from '../end/end-run.js';
import { type Finish, finishRuns } from '../end/finish-runs.js';
import { type LocalRunHead, leaseEnded, localRun, storable } from './local-lease.js';

export interface LocalFinish {
  runId: string;
  leaseToken: number;
  outcome: 'succeeded' | 'failed' | 'canceled';
  text?: string | undefined;
  error?: string | undefined;
  usage?: { input: number; output: number } | undefined;
}

/** Ends a run that a local runner has executed, with the events, artifact and webhooks of any other run; it is free. */
export async function finishLocalRun(ctx: Context, finish: LocalFinish): Promise<LocalRunFinished> {
  const { runId, leaseToken, outcome } = finish;
  const run = await localRun(ctx, runId);
  if (run.attempt !== leaseToken) throw leaseEnded(run);
  // The response of the first attempt may have been lost.
  if (run.status === outcome) return { runId, status: run.status };
  if (run.status !== 'running') throw leaseEnded(run);
  const events = outcome === 'canceled' ? await cancel(ctx, finish, run) : await end(ctx, finish, run);
  if (!events) throw leaseEnded(await localRun(ctx, runId));
  return { runId, status: outcome };
}

function cancel(
  ctx: Context,
  { runId, leaseToken: attempt }: LocalFinish,
  { cancelRequested }: LocalRunHead,
): Promise<RunEvent[] | undefined> {
  if (!cancelRequested) {
    throw badInput('outcome', 'can be canceled only after the run was canceled; report a fault as failed');
  }
  return endRun(ctx, { runId, from: 'running', attempt, status: 'canceled', reason: 'canceled by the caller' });
}

async function end(ctx: Context, finish: LocalFinish, run: LocalRunHead): Promise<RunEvent[] | undefined> {
  const { runId, leaseToken: attempt, usage } = finish;
  const common = {
    runId,
    attempt,
    workflowId: null,
    events: [],
    hold: 0,
    cost: 0,
    tokenInput: usage?.input ?? null,
    tokenOutput: usage?.output ?? null,
  };
  const [events] = await finishRuns(ctx, [{ ...common, ...toFinish(finish, run) }]);
  return events;
}

function toFinish(
  { outcome, text, error }: LocalFinish,
  { outputSchema }: LocalRunHead,
): Pick<Finish, 'artifacts' | 'failure'> {
  if (outcome === 'failed') {
    if (error === undefined) throw badInput('error', 'is required when the run has failed');
    return { artifacts: [], failure: { errorCode: 'LOCAL_RUNNER_FAILED', errorMessage: storable(error) } };
  }
  if (text === undefined) throw badInput('text', 'is required when the run has succeeded');
  const json = outputSchema ? readJson(text) : undefined;
  return {
    artifacts: [
      {
        id: newId(),
        kind: json ? 'json' : 'text',
        contentText: json ? null : storable(text),
        contentJson: json?.value ?? null,
        isPrimaryOutput: true,
      },
    ],
    failure: null,
  };
}

function readJson(text: string): { value: unknown } {
  try {
    return { value: JSON.parse(storable(text)) as unknown };
  } catch {
    throw badInput('text', 'must be valid JSON, since the run has an outputSchema');
  }
}
