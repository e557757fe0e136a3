import type { Context } from '@lensforge/core';
import { canChange, readableWorkflow } from './access.js';
import { scheduleColumns } from './schedule-reads.js';
import type { ScheduleDetail, WorkflowAuthor, WorkflowDetail } from './shapes.js';
import { readVersion } from './version-reads.js';

const authorAndDates = `
select jsonb_build_object('id', a.id, 'handle', a.handle, 'displayName', a.display_name) as author,
       iso(w.created_at) as "createdAt", iso(w.updated_at) as "updatedAt"
  from workflows w join accounts a on a.id = w.account_id where w.id = $1`;

/** A workflow with its newest graph and, for callers that may change it, its schedules. */
export async function getWorkflow(ctx: Context, workflowId: string): Promise<WorkflowDetail> {
  const workflow = await readableWorkflow(ctx, workflowId);
  const { id, title, description, visibility } = workflow;
  const [headVersion, [known], schedules] = await Promise.all([
    readVersion(ctx.db, workflow),
    ctx.db.query<[{ author: WorkflowAuthor; createdAt: string; updatedAt: string }]>(authorAndDates, [id]),
    canChange(ctx, workflow)
      ? ctx.db.query<ScheduleDetail[]>(
          `select ${scheduleColumns} from schedules s where s.workflow_id = $1 order by s.created_at, s.id`,
          [id],
        )
      : [],
  ]);
  return { id, title, description, visibility, headVersion, ...known, schedules };
}
