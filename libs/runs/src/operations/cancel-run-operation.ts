import type { RunOperationState } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { operationState, readRunOperation } from './read-run-operation.js';

/** Cancels an operation: a queued one at once, a running one after its current run. Processed runs stay as they are. */
export async function cancelRunOperation(ctx: Context, operationId: string): Promise<RunOperationState> {
  const [[operation]] = await ctx.db.query<[RunOperationState[], number]>(
    `update run_operations o
        set cancel_requested_at = coalesce(cancel_requested_at, now()),
            completed_at = case when status = 'queued' then now() end,
            status = case when status = 'queued' then 'canceled' else status end
      where id = $1 and account_id = $2 and completed_at is null returning ${operationState}`,
    [operationId, ctx.actor.accountId],
  );
  if (operation) return operation;
  const ended = await readRunOperation(ctx, operationId);
  if (ended.status === 'canceled') return ended;
  throw new DomainError('INVALID_TRANSITION', `The operation has ended as ${ended.status} and cannot be canceled`);
}
