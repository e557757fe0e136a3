import { authorityMember } from '@lensforge/database';

/** The columns of `TickDetail` from the table alias `t`. */
export const tickColumns = `
  iso(t.tick_at) as "tickAt", t.outcome, t.reason, t.run_id as "runId", iso(t.decided_at) as "decidedAt"`;

/** The columns of `ScheduleDetail` from the table alias `s`. */
export const scheduleColumns = `
  s.id, s.workflow_id as "workflowId", s.title, s.cron, s.time_zone as "timeZone", s.inputs, s.overlap, s.missed,
  s.enabled, s.paused_reason as "pausedReason", ${authorityMember('s')}, iso(s.next_at) as "nextAt", iso(s.created_at) as "createdAt",
  iso(s.updated_at) as "updatedAt"`;
