import type { LabelArm, WantedArm, WorkflowLabelMove } from '@lensforge/contracts';
import { type Context, DomainError, type Page, type PageRequest, badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readRules } from '@lensforge/lenses';
import {
  type FindEvidence,
  type LabelMove as Move,
  type LabelPlace,
  type Return,
  Labels,
  requireMayLeave,
} from '@lensforge/releases';
import { type WorkflowHead, ownWorkflow, writableWorkflow } from './access.js';
import type { VersionRef, WorkflowLabelDetail } from './shapes.js';
import { isCandidate, readVersion } from './version-reads.js';
import { Workflow } from './workflow.entity.js';

export const workflowLabels = new Labels<VersionRef>('workflow');

export interface LabelMove extends Omit<Move, 'versionId' | 'arms'> {
  workflowId: string;
  /** The id, number or another label of the version. */
  version: string;
  arms?: readonly WantedArm[] | null | undefined;
}

/** Points a label at a version. */
export function setWorkflowLabel(
  ctx: Context,
  { workflowId, version, arms: wanted, ...move }: LabelMove,
  findEvidence?: FindEvidence,
): Promise<WorkflowLabelDetail> {
  return inTransaction(ctx, async (ctx) => {
    const workflow = await writableWorkflow(ctx, workflowId);
    const { id, number } = await readVersion(ctx.db, workflow, version);
    if (await isCandidate(ctx, id))
      throw badInput('version', 'is a candidate, which no label has: save its graph first');
    const rules = await readRules(ctx, workflow.accountId, move.rules);
    const arms = wanted && (await readArms(ctx, workflow, wanted));
    const place = await workflowLabels.set(ctx, workflow, { ...move, ...rules, versionId: id, arms }, findEvidence);
    await serveMoved(ctx, workflow, place);
    // A proposed move leaves the label where it is.
    const placed = place.versionId === id ? number : (await readVersion(ctx.db, workflow, place.versionId)).number;
    return { ...place, number: placed };
  });
}

/** Points a label at the version that it had before. */
export function returnWorkflowLabel(
  ctx: Context,
  { workflowId, ...move }: { workflowId: string } & Return,
): Promise<WorkflowLabelDetail> {
  return inTransaction(ctx, async (ctx) => {
    const workflow = await writableWorkflow(ctx, workflowId);
    const place = await workflowLabels.return(ctx, workflow, move);
    const { number } = await readVersion(ctx.db, workflow, place.versionId);
    await serveMoved(ctx, workflow, place);
    return { ...place, number };
  });
}

/** Removes a label; the version stays. */
export function removeWorkflowLabel(
  ctx: Context,
  { workflowId, label }: Pick<LabelMove, 'workflowId' | 'label'>,
): Promise<{ workflowId: string; label: string; removed: true }> {
  return inTransaction(ctx, async (ctx) => {
    const workflow = await writableWorkflow(ctx, workflowId);
    if (workflow.defaultLabel === label) {
      throw new DomainError(
        'CONFLICT',
        `${label} is the default label of the workflow: set defaultLabel to another one or null first`,
      );
    }
    await workflowLabels.remove(ctx, workflow, label);
    return { workflowId: workflow.id, label, removed: true };
  });
}

/** Lists where the labels of a workflow of the caller pointed, the newest move first. */
export async function listWorkflowLabelMoves(
  ctx: Context,
  workflowId: string,
  page: PageRequest,
): Promise<Page<WorkflowLabelMove>> {
  const { id } = await ownWorkflow(ctx, workflowId);
  return workflowLabels.listMoves(ctx, id, page) as Promise<Page<WorkflowLabelMove>>;
}

/** The members of a workflow that another default label changes; a protected one is only left by a person. */
export async function readDefault(
  ctx: Context,
  workflow: WorkflowHead,
  label: string | null,
): Promise<Pick<Workflow, 'defaultLabel' | 'servedVersionId' | 'servedArms'>> {
  if (workflow.defaultLabel !== null) {
    const now = await workflowLabels.read(ctx, workflow.id, workflow.defaultLabel);
    if (now) requireMayLeave(ctx, now);
  }
  if (label === null) return { defaultLabel: null, servedVersionId: null, servedArms: null };
  const found = await workflowLabels.read(ctx, workflow.id, label);
  if (!found)
    throw badInput('defaultLabel', `"${label.slice(0, 80)}" is no label of this workflow: set the label first`);
  return { defaultLabel: label, servedVersionId: found.versionId, servedArms: found.arms };
}

function readArms({ db }: Context, workflow: WorkflowHead, arms: readonly WantedArm[]): Promise<LabelArm[]> {
  return Promise.all(
    arms.map(async ({ version, weight }) => {
      const { id: versionId, number } = await readVersion(db, workflow, version);
      return { versionId, version: String(number), weight };
    }),
  );
}

async function serveMoved(
  { db, ...ctx }: Context,
  { id, defaultLabel }: WorkflowHead,
  { label, versionId: servedVersionId, arms: servedArms }: LabelPlace,
): Promise<void> {
  if (defaultLabel === label) await db.update(Workflow, { id }, { servedVersionId, servedArms, updatedAt: ctx.now() });
}
