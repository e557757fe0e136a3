import type { Migration } from '../migration.js';

/** Accounts that their people have closed. */
export const closedAccounts: Migration = {
  version: 12,
  name: 'closed-accounts',
  sql: `
alter table accounts
  add column closed_at timestamptz,
  -- The time at which the last run of a closed account was deleted.
  add column erased_at timestamptz;
create index accounts_to_erase on accounts (closed_at) where closed_at is not null and erased_at is null;

-- For the export of what a person wrote.
create index thread_messages_author on thread_messages (author_account_id, id);
create index battle_votes_account on battle_votes (account_id, battle_id);

-- The texts of a deleted workflow may be erased.
create or replace function refuse_version_change() returns trigger language plpgsql as $$ begin
  if new.id = old.id and new.number = old.number
     and exists (select from workflows w where w.id = old.workflow_id and w.deleted_at is not null) then
    return new;
  end if;
  raise exception 'version % of a workflow never changes', old.id using errcode = 'check_violation';
end $$;
`,
};
