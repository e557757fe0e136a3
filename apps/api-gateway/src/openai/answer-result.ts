import { type FinishReason, type PlatformRunStatus, isRecord } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { HttpFault } from '@lensforge/edge';
import { readRun } from '@lensforge/runs';
import type { AnswerFold, ToolCallEvent } from './answer-fold.js';
import { idOfCall, idOfWait } from './tool-call-ids.js';

export interface ResultCall {
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
}

/** The use of tokens of an answer. */
export interface ResultUse {
  input: number;
  output: number;
  cachedInput: number;
  reasoning: number;
}

/** An answer as a whole. */
export interface AnswerResult {
  runId: string;
  text: string;
  calls: ResultCall[];
  finishReason: Exclude<FinishReason, 'other'>;
  /** null while its run waits for results of tools. */
  completedAt: string | null;
  use: ResultUse;
}

/** The answer of a run that has succeeded; throws the fault of another. */
export async function readResult(ctx: Context, runId: string): Promise<AnswerResult> {
  const run = await readRun(ctx, runId);
  if (run.status !== 'succeeded') throw failureOf(run);
  const calls = callsIn(run);
  return {
    runId,
    text: textIn(run),
    calls,
    finishReason: calls.length > 0 ? 'tool_calls' : run.finishReason === 'length' ? 'length' : 'stop',
    completedAt: run.completedAt ?? null,
    use: toUse(run),
  };
}

/** The answer of a run that waits for results of tools. */
export async function toWaitingResult(
  ctx: Context,
  runId: string,
  { calls, fold }: { calls: readonly ToolCallEvent[]; fold: AnswerFold },
): Promise<AnswerResult> {
  // Events leave out long arguments.
  const whole = calls.some(({ input }) => input === undefined) ? (await readRun(ctx, runId)).requiredAction : null;
  const inputOf = ({ callId, input }: ToolCallEvent): unknown =>
    input ?? whole?.calls.find((each) => each.callId === callId)?.input ?? {};
  return {
    runId,
    text: fold.text,
    calls: calls.map((call) => ({
      id: idOfWait(runId, call.callId),
      name: call.name,
      arguments: JSON.stringify(inputOf(call)),
    })),
    finishReason: 'tool_calls',
    completedAt: null,
    use: { input: fold.used.tokenInput, output: fold.used.tokenOutput, cachedInput: 0, reasoning: 0 },
  };
}

export function textIn({ artifacts }: Pick<PlatformRunStatus, 'artifacts'>): string {
  const primary = artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput);
  if (!primary) return '';
  if (typeof primary.contentText === 'string') return primary.contentText;
  return primary.contentJson === undefined ? '' : JSON.stringify(primary.contentJson);
}

/** The calls of tools that ended the answer of a model. */
function callsIn({ id, artifacts, kind }: PlatformRunStatus): ResultCall[] {
  const log: unknown = artifacts.find(({ artifactKind }) => artifactKind === 'tool_log')?.contentJson;
  if (kind !== 'prompt' || !Array.isArray(log)) return [];
  return log.flatMap((call: unknown, index) =>
    isRecord(call) && call['output'] === undefined
      ? [{ id: idOfCall(id, index), name: String(call['name']), arguments: JSON.stringify(call['input'] ?? {}) }]
      : [],
  );
}

const toUse = ({ tokenInput, tokenOutput, tokenDetails }: PlatformRunStatus): ResultUse => ({
  input: tokenInput ?? 0,
  output: tokenOutput ?? 0,
  cachedInput: tokenDetails?.cachedInput ?? 0,
  reasoning: tokenDetails?.reasoning ?? 0,
});

/** The statuses for runs that ended without an answer, by their error codes. */
const statuses: Readonly<Record<string, number>> = {
  MISSING_PARAMS: 400,
  PROVIDER_REFUSED: 400,
  PROVIDER_FILTERED: 400,
  PROVIDER_LIMITED: 429,
  PROVIDER_UNAVAILABLE: 503,
  BUDGET_EXCEEDED: 400,
  INSUFFICIENT_CREDITS: 400,
  RUN_TIMED_OUT: 504,
};

/** A run has ended with this fault, and the platform has repeated what it could, so that programs need not. */
export function failureOf({ id, status, errorCode, errorMessage }: PlatformRunStatus): HttpFault {
  const code = errorCode ?? (status === 'canceled' ? 'RUN_CANCELED' : 'RUN_TIMED_OUT');
  const found = statuses[code] ?? (status === 'canceled' ? 409 : 502);
  const message = errorMessage ?? (status === 'canceled' ? 'The run was canceled' : 'The run did not end in time');
  return new HttpFault(found, 'service_unavailable', `${message} (run ${id})`, {
    headers: { 'x-should-retry': 'false' },
    details: { code },
  });
}

export const stillRunning = (runId: string): HttpFault =>
  new HttpFault(504, 'service_unavailable', `The run ${runId} goes on: read its answer later under this id`, {
    headers: { 'x-should-retry': 'false' },
    details: { code: 'RUN_CONTINUES' },
  });

export const eventsLost = (runId: string): HttpFault =>
  new HttpFault(503, 'service_unavailable', `The answer of the run ${runId} cannot be read at the moment; it goes on`, {
    headers: { 'x-should-retry': 'false' },
    details: { code: 'RUN_CONTINUES' },
  });

export const restarted = (runId: string): HttpFault =>
  new HttpFault(
    502,
    'service_unavailable',
    `The run ${runId} began its answer again with another text: read it as a whole`,
    {
      headers: { 'x-should-retry': 'false' },
      details: { code: 'ANSWER_RESTARTED' },
    },
  );
