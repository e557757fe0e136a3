import {
  type ApprovalAnswer,
  type ApprovalStatus,
  type PendingApproval,
  type RunApproval,
  jobs,
} from '@lensforge/contracts';
import {
  type Context,
  type CountedPage,
  DomainError,
  type PagePosition,
  countedPage,
  isUuid,
  newId,
  notFound,
} from '@lensforge/core';
import { enqueue, inTransaction, toJsonb } from '@lensforge/database';
import { readableRun, writableRun } from '../access.js';
import { nodeJobId } from '../node-job-id.js';

const columns = `
  id, run_id as "runId", node_key as "nodeKey", coalesce(message, '') as message, coalesce(value, details) as data,
  coalesce(decision, case when expires_at <= now() then 'expired' else 'pending' end) as status, comment,
  answered_by as "answeredBy", iso(requested_at) as "requestedAt", iso(expires_at) as "expiresAt",
  iso(answered_at) as "answeredAt"`;

/** Lists the approvals that a run has requested, newest first. */
export async function listApprovals(
  ctx: Context,
  { runId, limit, offset = 0 }: { runId: string } & PagePosition,
): Promise<CountedPage<RunApproval>> {
  await readableRun(ctx, runId);
  const ofRun = `node_waits where run_id = $1 and kind = 'approval'`;
  const [items, [{ total }]] = await Promise.all([
    ctx.db.query<RunApproval[]>(`select ${columns} from ${ofRun} order by id desc limit $2 offset $3`, [
      runId,
      limit,
      offset,
    ]),
    ctx.db.query<[{ total: number }]>(`select count(*)::int as total from ${ofRun}`, [runId]),
  ]);
  return countedPage(items, { limit, offset, total });
}

/** Lists the approvals of all runs of the caller that wait for an answer, newest first. */
export async function listPendingApprovals(
  ctx: Context,
  { limit, offset = 0 }: PagePosition,
): Promise<CountedPage<PendingApproval>> {
  const { accountId } = ctx.actor;
  const [items, [{ total }]] = await Promise.all([
    ctx.db.query<PendingApproval[]>(
      `with w as (
         select w.*, r.workflow_id from ${waitingForAnswer} order by w.id desc limit $2 offset $3)
       select ${columns}, workflow_id as "workflowId",
              (select f.title from workflows f where f.id = w.workflow_id and f.deleted_at is null) as "workflowTitle"
         from w order by id desc`,
      [accountId, limit, offset],
    ),
    ctx.db.query<[{ total: number }]>(`select count(*)::int as total from ${waitingForAnswer}`, [accountId]),
  ]);
  return countedPage(items, { limit, offset, total });
}

/** The condition on admitted_at lets the query use the index of the runs in flight of an account. */
const waitingForAnswer = `runs r join node_waits w on w.run_id = r.id
        where r.account_id = $1 and r.status = 'running' and r.admitted_at is not null and r.kind = 'workflow'
          and w.kind = 'approval' and w.decision is null and w.expires_at > now()`;

export interface ApprovalInput extends ApprovalAnswer {
  runId: string;
  approvalId: string;
}

/** Answers an approval. The first answer counts; any other is an error with the decision. */
export function answerApproval(
  ctx: Context,
  { runId, approvalId, decision, data, comment }: ApprovalInput,
): Promise<RunApproval> {
  return inTransaction(ctx, async (ctx) => {
    await writableRun(ctx, runId);
    const status: ApprovalStatus = decision === 'approve' ? 'approved' : 'rejected';
    const [rows] = await ctx.db.query<[RunApproval[], number]>(
      `update node_waits w set decision = $3, value = $4, comment = $5, answered_by = $6, answered_at = now()
        where run_id = $1 and id = $2 and kind = 'approval' and decision is null and expires_at > now()
          and exists (select from runs r where r.id = $1 and r.status = 'running')
        returning ${columns}`,
      [runId, approvalId, status, data === undefined ? null : toJsonb(data), comment ?? null, getAnswererId(ctx)],
    );
    const [approval] = rows;
    if (!approval) throw await refusal(ctx, runId, approvalId);
    await wakeNode(ctx, runId, approval.nodeKey);
    return approval;
  });
}

/** The account that answers; null for the platform itself. */
export const getAnswererId = ({ actor }: Context): string | null => (isUuid(actor.accountId) ? actor.accountId : null);

async function refusal(ctx: Context, runId: string, approvalId: string): Promise<DomainError> {
  const [known] = await ctx.db.query<RunApproval[]>(
    `select ${columns} from node_waits where run_id = $1 and id = $2 and kind = 'approval'`,
    [runId, approvalId],
  );
  if (!known) return notFound('approval', approvalId);
  const { status, answeredAt, answeredBy } = known;
  const message =
    status === 'pending'
      ? 'The run has ended: this approval can no longer be answered'
      : status === 'expired'
        ? 'This approval has expired'
        : `This approval was already answered: ${status}`;
  return new DomainError('CONFLICT', message, { status, answeredAt, answeredBy });
}

/** Stands for an unknown generation; larger than any real one. */
const anyGeneration = 2_147_483_647;

/** Makes a waiting node due and writes its job; if the job is lost, the due time wakes the node. */
export async function wakeNode(ctx: Context, runId: string, nodeKey: string): Promise<void> {
  const [rows] = await ctx.db.query<[{ generation: number }[], number]>(
    `update node_results set due_at = now() where run_id = $1 and node_key = $2 and status = 'waiting' returning generation`,
    [runId, nodeKey],
  );
  const generation = rows[0]?.generation ?? anyGeneration;
  const jobId = `${nodeJobId(runId, nodeKey, generation)}-${newId().slice(0, 13)}`;
  await enqueue(ctx, jobs.executeNode, { runId, nodeKey, generation }, { jobId, publishNow: true });
}
