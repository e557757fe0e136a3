import {
  type RetryFrom,
  type RunFilter,
  type RunOperationAction,
  type RunOperationState,
  type RunStatus,
  isTerminal,
  jobs,
  runStatuses,
} from '@lensforge/contracts';
import { type Context, DomainError, badInput, newId } from '@lensforge/core';
import { enqueue, inTransaction, toJsonb } from '@lensforge/database';
import { writableKinds } from '../access.js';
import { operationState } from './read-run-operation.js';

export interface RunOperationOrder {
  action: RunOperationAction;
  filter: RunFilter;
  from?: RetryFrom | undefined;
}

const maxOpen = 10;

/** The statuses in which a run can be canceled or retried. */
export const statusesFor = (action: RunOperationAction): RunStatus[] =>
  runStatuses.filter((status) =>
    action === 'cancel' ? !isTerminal(status) : isTerminal(status) && status !== 'succeeded',
  );

/** Stores an operation on many runs; a worker executes it. */
export async function startRunOperation(ctx: Context, order: RunOperationOrder): Promise<RunOperationState> {
  const { action, filter, from } = order;
  validate(order);
  writableKinds(ctx, filter.kind);
  return inTransaction(ctx, async (ctx) => {
    const id = newId();
    const [open] = await ctx.db.query<[{ count: number }]>(
      'select count(*)::int as count from run_operations where account_id = $1 and completed_at is null',
      [ctx.actor.accountId],
    );
    if (open.count >= maxOpen) {
      const message = `This account has ${maxOpen} operations that have not ended, which is the limit: wait for one to end, or cancel one`;
      throw new DomainError('THROTTLED', message, { retryAfter: 5 });
    }
    const { requestId, traceparent = null, actor } = ctx;
    const [operation] = await ctx.db.query<[RunOperationState]>(
      `insert into run_operations as o (id, request_id, traceparent, account_id, asked_by, action, filter, retry_from)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${operationState}`,
      [id, requestId, traceparent, actor.accountId, toJsonb(actor), action, toJsonb(filter), from ?? null],
    );
    const job = { operationId: id, generation: 0 };
    await enqueue(ctx, jobs.carryOutRunOperation, job, { jobId: `${id}-g0`, publishNow: true });
    return operation;
  });
}

function validate({ action, filter, from }: RunOperationOrder): void {
  const { createdAfter, createdBefore, status } = filter;
  if (Object.values(filter).every((member) => member === undefined)) {
    throw badInput('filter', 'must have at least one member, or it would match every run');
  }
  if (from !== undefined && action !== 'retry') throw badInput('from', 'is allowed with the action retry only');
  const possible = statusesFor(action);
  const impossible = status?.filter((one) => !possible.includes(one)) ?? [];
  if (impossible.length > 0) {
    const verb = action === 'cancel' ? 'canceled' : 'retried';
    throw badInput(
      'filter.status',
      `runs that are ${impossible.join(' or ')} cannot be ${verb}; ${possible.join(', ')} can`,
    );
  }
  if (createdAfter && createdBefore && Date.parse(createdAfter) >= Date.parse(createdBefore)) {
    throw badInput('filter.createdBefore', 'must be later than createdAfter');
  }
}
