import {
  type PlatformRunStatus,
  type RunStatus,
  integer,
  isTerminal,
  oneOf,
  runStatuses,
  text,
  uuid,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readRun } from '@lensforge/runs';
import { setTimeout as pause } from 'node:timers/promises';

export class RunOutputResult {
  @uuid()
  run_id!: string;

  @oneOf(runStatuses)
  status!: RunStatus;

  @text({ nullable: true, max: 10_000_000, description: 'The answer, when the run has succeeded.' })
  output!: string | null;

  @text({ nullable: true, description: 'Why there is no answer.' })
  error!: string | null;

  @integer({ min: 0, nullable: true, description: 'The credits that it has cost; null before its end.' })
  credits!: number | null;

  @text({ description: 'What to do next.' })
  next_step!: string;
}

/** The longest wait of one call. */
export const maxWaitMs = 60_000;
const firstPauseMs = 50;
const maxPauseMs = 1000;

/** Waits for the end of a run, at most so long, and reads its outcome. */
export async function awaitOutput(ctx: Context, runId: string, waitMs: number): Promise<RunOutputResult> {
  const end = performance.now() + waitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const run = await readRun(ctx, runId);
    const left = end - performance.now();
    if (isTerminal(run.status) || run.requiredAction || left <= 0) return toOutput(run);
    await pause(Math.min(pauseMs, left));
  }
}

/** The primary output of a run as text; undefined without one. */
export function outputText({ artifacts }: Pick<PlatformRunStatus, 'artifacts'>): string | undefined {
  const primary = artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput);
  return primary && (primary.contentText ?? JSON.stringify(primary.contentJson));
}

/** True for a run that has ended without an answer. */
export const hasFailed = ({ status }: RunOutputResult): boolean => isTerminal(status) && status !== 'succeeded';

export function toOutput({
  id,
  status,
  artifacts,
  creditCost,
  errorMessage,
  requiredAction,
}: PlatformRunStatus): RunOutputResult {
  const hasEnded = isTerminal(status);
  return {
    run_id: id,
    status,
    output: status === 'succeeded' ? (outputText({ artifacts }) ?? '') : null,
    error: hasEnded && status !== 'succeeded' ? (errorMessage ?? status) : null,
    credits: hasEnded ? (creditCost ?? 0) : null,
    next_step: hasEnded
      ? 'Nothing: the run has ended.'
      : requiredAction
        ? `It waits for results of tools: POST /v1/runs/${id}/tool-results of the REST API.`
        : 'It goes on: call get_run_output with its run_id.',
  };
}
