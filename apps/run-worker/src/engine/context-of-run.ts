import type { Context } from '@lensforge/core';

/** The context of work for a run: its changes carry the request id and trace of the request that started the run. */
export const contextOfRun = (
  ctx: Context,
  { requestId, traceparent }: { requestId: string; traceparent: string | null },
): Context => ({ ...ctx, requestId, traceparent: traceparent ?? undefined });
