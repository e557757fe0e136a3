import type { Migration } from '../migration.js';

export const admission: Migration = {
  version: 8,
  name: 'admission',
  sql: `
-- A queued run is admitted, which means that it has a job, or it waits: for its time, for its key, for a place among the
-- runs of its account, or for its caller's own runner.
alter table runs
  add column waits_for text check (waits_for in ('time', 'key', 'place', 'runner')),
  add column place_at timestamptz not null default now(),
  add column concurrency_strategy text check (concurrency_strategy in ('queue', 'cancel-in-progress', 'cancel-newest')),
  add constraint runs_admitted_or_waiting check ((admitted_at is null) = (waits_for is not null));

drop index runs_queued;
create index runs_queued on runs (id) where status = 'queued' and admitted_at is not null;
create index runs_in_flight on runs (account_id) where status in ('queued', 'running') and admitted_at is not null;
create index runs_waiting on runs (account_id, waits_for, place_at, id) where status = 'queued' and admitted_at is null;
create index runs_waiting_for_time on runs (not_before) where status = 'queued' and waits_for = 'time';
create index runs_waiting_for_key on runs (account_id, concurrency_key, place_at, id)
  where status = 'queued' and waits_for = 'key';

-- Whose turn it is among the runs of a concurrency key. A row lives as long as the run has not ended.
create table run_turns (
  account_id uuid not null,
  key text not null,
  run_id uuid not null,
  primary key (account_id, key)
);

-- However a run ends, the first that waits for its key has the turn in the same commit.
create function hand_over_turn() returns trigger language plpgsql as
  $$ declare
       heir runs;
     begin
       if not exists (select 1 from run_turns
                       where account_id = new.account_id and key = new.concurrency_key and run_id = new.id) then
         return null;
       end if;
       select * into heir from runs
        where account_id = new.account_id and concurrency_key = new.concurrency_key
          and status = 'queued' and waits_for = 'key'
        order by place_at, id limit 1 for update skip locked;
       if heir.id is null then
         delete from run_turns where account_id = new.account_id and key = new.concurrency_key and run_id = new.id;
       else
         update run_turns set run_id = heir.id where account_id = new.account_id and key = new.concurrency_key;
         update runs set waits_for = case when heir.funding_source = 'user_byok_local' then 'runner' else 'place' end
          where id = heir.id;
       end if;
       return null;
     end $$;
create trigger runs_hand_over after update of status on runs for each row
  when (new.completed_at is not null and old.completed_at is null and new.concurrency_key is not null)
  execute function hand_over_turn();

alter table outbox add column priority integer check (priority > 0);
`,
};
