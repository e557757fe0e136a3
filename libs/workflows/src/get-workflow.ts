import type { Context } from '@lensforge/core';
import { canChange, readableWorkflow } from './access.js';
import { scheduleColumns } from './schedule-reads.js';
import type { ScheduleDetail, WorkflowAuthor, WorkflowDetail, WorkflowLabelDetail } from './shapes.js';
import { readVersion } from './version-reads.js';

const authorAndDates = `
select jsonb_build_object('id', a.id, 'handle', a.handle, 'displayName', a.display_name) as author,
       iso(w.created_at) as "createdAt", iso(w.updated_at) as "updatedAt"
  from workflows w join accounts a on a.id = w.account_id where w.id = $1`;

const labelsOf = `
select l.label, l.version_id as "versionId", v.number, l.arms, l.protected, l.rules, l.bounds, l.returned, l.proposal_id as "proposalId", iso(l.updated_at) as "updatedAt"
  from workflow_labels l join workflow_versions v on v.id = l.version_id where l.workflow_id = $1 order by l.label`;

/** A workflow with its labels and, for callers that may change it, its newest graph and its schedules; for others the graph that they get. */
export async function getWorkflow(ctx: Context, workflowId: string): Promise<WorkflowDetail> {
  const workflow = await readableWorkflow(ctx, workflowId);
  const { id, title, description, visibility, defaultLabel, headVersionId, servedVersionId } = workflow;
  const isOwn = canChange(ctx, workflow);
  const [headVersion, served, labels, [known], schedules] = await Promise.all([
    readVersion(ctx.db, workflow, isOwn ? headVersionId : servedVersionId),
    isOwn && servedVersionId !== headVersionId ? readVersion(ctx.db, workflow) : undefined,
    ctx.db.query<WorkflowLabelDetail[]>(labelsOf, [id]),
    ctx.db.query<[{ author: WorkflowAuthor; createdAt: string; updatedAt: string }]>(authorAndDates, [id]),
    isOwn
      ? ctx.db.query<ScheduleDetail[]>(
          `select ${scheduleColumns} from schedules s where s.workflow_id = $1 order by s.created_at, s.id`,
          [id],
        )
      : [],
  ]);
  const servedVersion = { id: (served ?? headVersion).id, number: (served ?? headVersion).number };
  return { id, title, description, visibility, headVersion, labels, defaultLabel, servedVersion, ...known, schedules };
}
