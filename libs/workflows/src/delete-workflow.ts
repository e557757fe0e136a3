import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableWorkflow } from './access.js';
import { Workflow } from './workflow.entity.js';
import { Schedule } from './schedule.entity.js';

/** Marks a workflow as deleted, which hides it from every query, and pauses its schedules. Its runs continue. */
export function deleteWorkflow(ctx: Context, workflowId: string): Promise<{ deleted: true; workflowId: string }> {
  return inTransaction(ctx, async (ctx) => {
    const workflow = await writableWorkflow(ctx, workflowId);
    await ctx.db.update(Workflow, { id: workflow.id }, { deletedAt: ctx.now(), updatedAt: ctx.now() });
    await ctx.db.update(
      Schedule,
      { workflowId: workflow.id, enabled: true },
      { enabled: false, nextAt: null, pausedReason: 'its workflow was deleted', updatedAt: ctx.now() },
    );
    await recordAudit(ctx, {
      accountId: workflow.accountId,
      action: 'workflow.deleted',
      target: { kind: 'workflow', id: workflow.id },
      details: { title: workflow.title },
    });
    return { deleted: true, workflowId: workflow.id };
  });
}
