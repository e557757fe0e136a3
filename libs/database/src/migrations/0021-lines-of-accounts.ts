import type { Migration } from '../migration.js';

/**
 * Who has runs that wait for a place, asked whenever runs have ended: to plan that anew, for all months, takes fifty times
 * as long as to look. Both functions look rows up from the first day on, when reading a whole month would seem as quick:
 * their plans stay.
 */
export const linesOfAccounts: Migration = {
  version: 21,
  name: 'lines-of-accounts',
  sql: `
create function accounts_in_line(wanted uuid[]) returns setof uuid
  language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return query
    select a.id from unnest(wanted) as a(id)
     where (select true from runs r where r.account_id = a.id and r.status = 'queued' and r.admitted_at is null
               and r.waits_for = 'place' limit 1)
     order by a.id;
end $$;

alter function run_beginning(uuid, int, int) set enable_seqscan = off;
`,
};
