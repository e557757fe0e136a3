import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import { canChange, readableWorkflow } from './access.js';
import { scheduleColumns } from './schedule-reads.js';
import type { ScheduleDetail } from './shapes.js';

/** The schedules of a workflow of the caller's, the oldest first. */
export async function listSchedules(ctx: Context, workflowId: string): Promise<ScheduleDetail[]> {
  const workflow = await readableWorkflow(ctx, workflowId);
  if (!canChange(ctx, workflow)) {
    throw new DomainError('FORBIDDEN', `The workflow ${workflow.id} is not yours: its owner alone sees when it runs`);
  }
  return ctx.db.query<ScheduleDetail[]>(
    `select ${scheduleColumns} from schedules s where s.workflow_id = $1 order by s.created_at, s.id`,
    [workflow.id],
  );
}
