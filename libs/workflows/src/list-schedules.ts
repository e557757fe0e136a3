import { type Context, type CountedPage, DomainError, type PagePosition, countedPage } from '@lensforge/core';
import { canChange, readableWorkflow } from './access.js';
import { scheduleColumns } from './schedule-reads.js';
import type { ScheduleDetail } from './shapes.js';

/** Lists the schedules of a workflow of the caller, oldest first. */
export async function listSchedules(
  ctx: Context,
  { workflowId, limit, offset = 0 }: { workflowId: string } & PagePosition,
): Promise<CountedPage<ScheduleDetail>> {
  const workflow = await readableWorkflow(ctx, workflowId);
  if (!canChange(ctx, workflow)) {
    throw new DomainError('FORBIDDEN', `The workflow ${workflow.id} is not yours: only its owner sees its schedules`);
  }
  const [items, [{ total }]] = await Promise.all([
    ctx.db.query<ScheduleDetail[]>(
      `select ${scheduleColumns} from schedules s where s.workflow_id = $1 order by s.created_at, s.id limit $2 offset $3`,
      [workflow.id, limit, offset],
    ),
    ctx.db.query<[{ total: number }]>('select count(*)::int as total from schedules where workflow_id = $1', [
      workflow.id,
    ]),
  ]);
  return countedPage(items, { limit, offset, total });
}
