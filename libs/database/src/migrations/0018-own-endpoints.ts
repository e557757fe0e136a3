import type { Migration } from '../migration.js';

export const ownEndpoints: Migration = {
  version: 18,
  name: 'own-endpoints',
  sql: `
-- A key that opens an endpoint of its owner: where that is, and which models are to be found there.
alter table byok_keys
  add column base_url text check (char_length(base_url) between 1 and 2048),
  add constraint byok_keys_compatible_has_address check ((provider = 'openai-compatible') = (base_url is not null));

-- Never enabled: what is behind a key is offered to nobody but its owner.
alter table models
  add column byok_key_id uuid references byok_keys (id),
  add constraint models_of_keys_are_not_offered check (byok_key_id is null or not (enabled or is_default));
drop index models_key;
create unique index models_key on models (provider_key, key) where byok_key_id is null;
create unique index models_of_key on models (byok_key_id, key) where byok_key_id is not null;

create function refuse_rewriting_ledger() returns trigger language plpgsql as
  $$ begin raise exception 'the ledger is only ever appended to' using errcode = 'insufficient_privilege'; end $$;
create trigger credit_entries_are_kept before update or delete on credit_entries for each row
  execute function refuse_rewriting_ledger();
create trigger credit_entries_stay before truncate on credit_entries for each statement
  execute function refuse_rewriting_ledger();
`,
};
