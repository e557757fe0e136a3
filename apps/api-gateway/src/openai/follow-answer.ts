import type { Context } from '@lensforge/core';
import type { LogStreams } from '../event-stream/log-streams.js';
import { AnswerFold, type AnswerPart } from './answer-fold.js';
import { type AnswerConnection, AnswerReader } from './answer-reader.js';
import {
  type AnswerResult,
  eventsLost,
  readResult,
  restarted,
  stillRunning,
  toWaitingResult,
} from './answer-result.js';
import type { StartedAnswer } from './start-answer.js';

export interface FollowOptions {
  /** Called with each piece of the text. */
  onText?: (text: string) => void;
  /** The connection that the pieces go to. */
  connection?: AnswerConnection | undefined;
  /** The longest wait for the whole answer. */
  maxMs?: number | undefined;
  /** Aborted when the program has gone; the run goes on. */
  signal: AbortSignal;
}

/** Follows a run to its answer; rejects with the fault of a run that ends without one, or with the reason of the signal. */
export function followAnswer(
  ctx: Context,
  streams: LogStreams,
  { runId, isWorkflow, after }: StartedAnswer,
  { onText, connection, maxMs, signal }: FollowOptions,
): Promise<AnswerResult> {
  const fold = new AnswerFold(isWorkflow, after);
  return new Promise<AnswerResult>((resolve, reject) => {
    const onPart = (part: AnswerPart): void => {
      if ('text' in part) return onText?.(part.text);
      stop();
      if ('diverged' in part) reject(restarted(runId));
      else if ('calls' in part) toWaitingResult(ctx, runId, { calls: part.calls, fold }).then(resolve, reject);
      else readResult(ctx, runId).then(resolve, reject);
    };
    const onLost = (): void => {
      stop();
      reject(eventsLost(runId));
    };
    const reader = new AnswerReader({ actor: ctx.actor, fold, onPart, onLost, connection });
    const timer = maxMs === undefined ? undefined : setTimeout(() => end(stillRunning(runId)), maxMs);
    const unfollow = streams.runs.follow(runId, reader);
    const onAbort = (): void => end(signal.reason as Error);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });

    function stop(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      unfollow();
    }

    function end(reason: Error): void {
      stop();
      reject(reason);
    }
  });
}
