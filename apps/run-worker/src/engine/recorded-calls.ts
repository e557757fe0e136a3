import { type CallPolicy, readCallPolicy } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { type CallOrder, type Receipt, explainMiss, recallCall, recordCall } from '@lensforge/evaluation';
import { RunFailure } from './run-failure.js';

/** An answer to a call to the outside; `recordedAt` when it was not made now. */
export interface CallAnswer<T> {
  value: T;
  recordedAt?: Date;
  receipt?: Receipt | null;
}

export interface LiveCall<T> {
  make: () => Promise<T>;
  /** False for an answer that a repeat must not get, such as one of a server that was busy. */
  isKept?: (value: T) => boolean;
  /** The receipt of an answer that costs something. */
  receipt?: () => Receipt | undefined;
}

/**
 * Answers a call to the outside as its run asks: live, from a recording, or live and recorded. Of what is recorded all runs get
 * the same, also the first one, so that a replay has equal outputs.
 */
export async function throughRecording<T>(
  ctx: Context,
  cause: object | null | undefined,
  order: CallOrder,
  { make, isKept = () => true, receipt }: LiveCall<T>,
): Promise<CallAnswer<T>> {
  const policy = readCallPolicy(cause);
  if (!policy) return { value: await make() };
  const recalled = await withDbRetry(() => recallCall(ctx, policy, order));
  if (recalled) {
    return { value: recalled.response as T, recordedAt: recalled.recordedAt, receipt: recalled.receipt };
  }
  if (policy.mode === 'replay') throw await notRecorded(ctx, policy, order);
  const value = await make();
  if (!isKept(value)) return { value };
  const answer = { response: value, receipt: receipt?.() };
  const kept = await withDbRetry(() => recordCall(ctx, policy, order, answer));
  return { value: policy.mode === 'record' ? (kept as T) : value };
}

const notRecorded = async (ctx: Context, policy: CallPolicy, order: CallOrder): Promise<RunFailure> =>
  new RunFailure('NOT_RECORDED', await withDbRetry(() => explainMiss(ctx, policy, order)));
