import { type Context, DomainError, isServiceRole, isUuid, notFound, platformActor } from '@lensforge/core';
import type { LabelArm } from '@lensforge/contracts';
import type { WorkflowVisibility } from './workflow.entity.js';

export interface WorkflowHead {
  id: string;
  accountId: string;
  title: string;
  description: string;
  visibility: WorkflowVisibility;
  /** The newest version. */
  headVersionId: string;
  /** The version that callers without a version get. */
  servedVersionId: string;
  /** The label that decides about it; null for the newest version. */
  defaultLabel: string | null;
  /** Its arms. */
  servedArms: LabelArm[] | null;
}

type AccessFields = Pick<WorkflowHead, 'accountId' | 'visibility'>;

export const canChange = (ctx: Context, { accountId }: Pick<AccessFields, 'accountId'>): boolean =>
  isServiceRole(ctx) || accountId === ctx.actor.accountId;

/** Owners see their workflows; other accounts see public ones, and unlisted ones by id. */
export const canSee = (ctx: Context, workflow: AccessFields): boolean =>
  canChange(ctx, workflow) || workflow.visibility !== 'private';

/** SQL of the title of a workflow for an account, or null when the account may not see it; like canSee. */
export const seenWorkflowTitle = (workflowId: string, accountId: string): string =>
  `(select case when w.deleted_at is null and (w.account_id = ${accountId} or w.visibility <> 'private') then w.title end
      from workflows w where w.id = ${workflowId})`;

/** SQL of the name of a version of a workflow: its number, or that and a digest for a candidate. Anyone with a run of it may see that. */
export const workflowVersionText = (versionId: string): string =>
  `(select v.number || coalesce('-candidate.x' || left(v.candidate, 6), '') from workflow_versions v where v.id = ${versionId})`;

const columns = `
  id, account_id as "accountId", title, description, visibility, head_version_id as "headVersionId",
  coalesce(served_version_id, head_version_id) as "servedVersionId", default_label as "defaultLabel",
  served_arms as "servedArms"`;
const head = `select ${columns} from workflows where id = $1 and deleted_at is null`;

/** A workflow that the caller may see; NOT_FOUND otherwise. */
export async function readableWorkflow(ctx: Context, workflowId: string): Promise<WorkflowHead> {
  const [found] = isUuid(workflowId) ? await ctx.db.query<WorkflowHead[]>(head, [workflowId]) : [];
  return requireVisible(ctx, workflowId, found);
}

/** A workflow that the caller may change, locked until the transaction ends. */
export async function writableWorkflow(ctx: Context, workflowId: string): Promise<WorkflowHead> {
  const [locked] = isUuid(workflowId)
    ? await ctx.db.query<WorkflowHead[]>(`${head} for no key update`, [workflowId])
    : [];
  return requireOwn(ctx, requireVisible(ctx, workflowId, locked));
}

/** A workflow that the caller may change, without a lock. */
export async function ownWorkflow(ctx: Context, workflowId: string): Promise<WorkflowHead> {
  return requireOwn(ctx, await readableWorkflow(ctx, workflowId));
}

function requireOwn(ctx: Context, workflow: WorkflowHead): WorkflowHead {
  if (!canChange(ctx, workflow)) {
    throw new DomainError(
      'FORBIDDEN',
      `The workflow ${workflow.id} is not yours to change: import a copy of its export`,
    );
  }
  return workflow;
}

function requireVisible(ctx: Context, workflowId: string, workflow: WorkflowHead | undefined): WorkflowHead {
  if (!workflow || !canSee(ctx, workflow)) throw notFound('workflow', workflowId);
  return workflow;
}

/** Refuses callers that cannot own a workflow: the platform itself and anonymous credentials. */
export function requireAccount(ctx: Context): void {
  if (
    isServiceRole(ctx) ? ctx.actor.accountId !== platformActor.accountId : ctx.actor.credential.kind !== 'anonymous'
  ) {
    return;
  }
  throw new DomainError('MISSING_LENSER', 'This credential acts for no account: a workflow needs an owner');
}
