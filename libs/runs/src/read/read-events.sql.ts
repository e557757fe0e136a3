import { preparedStatement } from '@lensforge/database';

export const readEventsSql = preparedStatement(`
select type as "eventType", payload, iso(occurred_at) as "occurredAt", run_id as "runId", sequence
  from run_events where run_id = $1 and sequence > $2 order by sequence limit $3`);

export const readRunPositionsSql = `
select id, status, last_sequence as "lastSequence", iso(completed_at) as "completedAt" from runs where id = any($1)`;
