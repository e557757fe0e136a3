import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableWorkflow } from './access.js';
import { type WorkflowVisibility, Workflow } from './workflow.entity.js';

export interface WorkflowChange {
  workflowId: string;
  title?: string | undefined;
  description?: string | undefined;
  visibility?: WorkflowVisibility | undefined;
}

/** Changes title, description and visibility of a workflow; saveGraph changes its graph. */
export function updateWorkflow(ctx: Context, change: WorkflowChange): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const workflow = await writableWorkflow(ctx, change.workflowId);
    const { title, description, visibility } = { ...workflow, ...definedMembers(change) };
    const isSame =
      title === workflow.title && description === workflow.description && visibility === workflow.visibility;
    if (isSame) return;
    await ctx.db.update(Workflow, { id: workflow.id }, { title, description, visibility, updatedAt: ctx.now() });
  });
}

const definedMembers = ({ title, description, visibility }: WorkflowChange) => ({
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(visibility !== undefined && { visibility }),
});
