import type { Migration } from '../migration.js';

/**
 * What a stream begins with, in one question. A statement about runs that are kept by the month is planned anew each time
 * (its general plan looks dear, since it could be about any month), which takes longer than all the rest of it; a
 * function can say that it does not want that.
 */
export const runBeginnings: Migration = {
  version: 20,
  name: 'run-beginnings',
  sql: `
create function run_beginning(wanted uuid, after int, most int, out head json, out events json)
  language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  select json_build_object('id', r.id, 'accountId', r.account_id, 'kind', r.kind, 'status', r.status,
                           'lastSequence', r.last_sequence, 'completedAt', iso(r.completed_at))
    into head from runs r where r.id = wanted;
  select coalesce(json_agg(json_build_object('eventType', e.type, 'payload', e.payload, 'occurredAt', iso(e.occurred_at),
                                             'runId', e.run_id, 'sequence', e.sequence) order by e.sequence), '[]')
    into events
    from (select * from run_events where run_id = wanted and sequence > after order by sequence limit most) e;
end $$;
`,
};
