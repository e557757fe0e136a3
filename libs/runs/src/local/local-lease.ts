import type { RunStatus } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { readableRun } from '../access.js';

export interface LocalRunHead {
  accountId: string;
  status: RunStatus;
  attempt: number;
  isLocal: boolean;
  cancelRequested: boolean;
  outputSchema: Record<string, unknown> | null;
}

/** Returns the caller's run that a local runner executes. */
export async function localRun(ctx: Context, runId: string): Promise<LocalRunHead> {
  await readableRun(ctx, runId);
  const [run] = await ctx.db.query<[LocalRunHead]>(
    `select account_id as "accountId", status, attempt, funding_source is not distinct from 'user_byok_local' as "isLocal",
            cancel_requested_at is not null as "cancelRequested", output_schema as "outputSchema"
       from runs where id = $1`,
    [runId],
  );
  if (!run.isLocal) throw new DomainError('CONFLICT', 'This run is executed by the platform, not by a local runner');
  return run;
}

/** The error for a runner whose lease has ended. */
export function leaseEnded({ status }: LocalRunHead): DomainError {
  const cause =
    status === 'running'
      ? 'a later claim took the run'
      : status === 'queued'
        ? 'it was not extended in time, and the run is queued again'
        : `the run has ended as ${status}`;
  return new DomainError('CONFLICT', `leaseToken: this lease has ended: ${cause}`, { status });
}

/** Replaces NUL and lone surrogates, which PostgreSQL cannot store. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
