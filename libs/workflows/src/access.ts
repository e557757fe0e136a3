import type { Context } from '@lensforge/core';
import { DomainError, isServiceRole, isUuid, notFound, platformActor } from '@lensforge/core';
import type { WorkflowVisibility } from './workflow.entity.js';

export interface WorkflowHead {
  id: string;
  accountId: string;
  title: string;
  description: string;
  visibility: WorkflowVisibility;
  headVersionId: string;
}

type Judged = Pick<WorkflowHead, 'accountId' | 'visibility'>;

export const canChange = (ctx: Context, { accountId }: Pick<Judged, 'accountId'>): boolean =>
  isServiceRole(ctx) || accountId === ctx.actor.accountId;

/** Their own; others' when it is public, or unlisted and they know its id. */
export const canSee = (ctx: Context, workflow: Judged): boolean =>
  canChange(ctx, workflow) || workflow.visibility !== 'private';

const columns = `
  id, account_id as "accountId", title, description, visibility, head_version_id as "headVersionId"`;
const head = `select ${columns} from workflows where id = $1 and deleted_at is null`;

/** The workflow as far as the caller may see it; what they may not see does not exist. */
export async function readableWorkflow(ctx: Context, workflowId: string): Promise<WorkflowHead> {
  const [found] = isUuid(workflowId) ? await ctx.db.query<WorkflowHead[]>(head, [workflowId]) : [];
  return judged(ctx, workflowId, found);
}

/** The caller's own workflow, held against changes by others until the transaction ends. */
export async function writableWorkflow(ctx: Context, workflowId: string): Promise<WorkflowHead> {
  const [held] = isUuid(workflowId)
    ? await ctx.db.query<WorkflowHead[]>(`${head} for no key update`, [workflowId])
    : [];
  const workflow = judged(ctx, workflowId, held);
  if (!canChange(ctx, workflow)) {
    throw new DomainError(
      'FORBIDDEN',
      `The workflow ${workflow.id} is not yours to change: import a copy of its export`,
    );
  }
  return workflow;
}

function judged(ctx: Context, workflowId: string, workflow: WorkflowHead | undefined): WorkflowHead {
  if (!workflow || !canSee(ctx, workflow)) throw notFound('workflow', workflowId);
  return workflow;
}

/** A workflow has an owner: neither the platform itself nor somebody without an account can have one. */
export function requireAccount(ctx: Context): void {
  if (
    isServiceRole(ctx) ? ctx.actor.accountId !== platformActor.accountId : ctx.actor.credential.kind !== 'anonymous'
  ) {
    return;
  }
  throw new DomainError('MISSING_LENSER', 'This credential acts for no account: a workflow needs an owner');
}
