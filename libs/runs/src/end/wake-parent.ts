import { isRecord, jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { enqueue } from '@lensforge/database';
import { nodeJobId } from '../node-job-id.js';

/** The node that started a run and continues when the run has ended. */
export interface NodeCause {
  runId: string;
  nodeKey: string;
  generation: number;
}

export function parseNodeCause(cause: unknown): NodeCause | undefined {
  if (!isRecord(cause) || cause['kind'] !== 'node') return undefined;
  const { runId, nodeKey, generation } = cause;
  if (typeof runId !== 'string' || typeof nodeKey !== 'string' || typeof generation !== 'number') return undefined;
  return { runId, nodeKey, generation };
}

/** Writes the job of the parent node, in the transaction that ends the run. */
export async function wakeParent(ctx: Context, cause: unknown): Promise<void> {
  const node = parseNodeCause(cause);
  if (!node) return;
  const { runId, nodeKey, generation } = node;
  await enqueue(ctx, jobs.executeNode, { ...node }, { jobId: `${nodeJobId(runId, nodeKey, generation)}-e` });
}
