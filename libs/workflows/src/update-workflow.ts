import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableWorkflow } from './access.js';
import { readDefault } from './workflow-labels.js';
import { type WorkflowVisibility, Workflow } from './workflow.entity.js';

export interface WorkflowChange {
  workflowId: string;
  title?: string | undefined;
  description?: string | undefined;
  visibility?: WorkflowVisibility | undefined;
  /** The label whose version callers get that name none; null for the newest version. */
  defaultLabel?: string | null | undefined;
}

/** Changes title, description, visibility and default label of a workflow; saveGraph changes its graph. */
export function updateWorkflow(ctx: Context, change: WorkflowChange): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const workflow = await writableWorkflow(ctx, change.workflowId);
    const { title, description, visibility } = { ...workflow, ...definedMembers(change) };
    const { defaultLabel = workflow.defaultLabel } = change;
    const isServed = defaultLabel === workflow.defaultLabel;
    const isSame =
      isServed &&
      title === workflow.title &&
      description === workflow.description &&
      visibility === workflow.visibility;
    if (isSame) return;
    const served = isServed ? {} : await readDefault(ctx, workflow, defaultLabel);
    await ctx.db.update(
      Workflow,
      { id: workflow.id },
      { title, description, visibility, ...served, updatedAt: ctx.now() },
    );
  });
}

const definedMembers = ({ title, description, visibility }: WorkflowChange) => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(visibility !== undefined && { visibility }),
});
