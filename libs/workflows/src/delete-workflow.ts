import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableWorkflow } from './access.js';

/** Marks a workflow as deleted, which hides it from every query, and pauses its schedules. Its runs continue. */
export function deleteWorkflow(ctx: Context, workflowId: string): Promise<{ deleted: true; workflowId: string }> {
  return inTransaction(ctx, async (ctx) => {
    const workflow = await writableWorkflow(ctx, workflowId);
    await ctx.db.query('update workflows set deleted_at = $2, updated_at = $2 where id = $1', [workflow.id, ctx.now()]);
    await ctx.db.query(
      `update schedules set enabled = false, next_at = null, paused_reason = 'its workflow was deleted', updated_at = $2
        where workflow_id = $1 and enabled`,
      [workflow.id, ctx.now()],
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
