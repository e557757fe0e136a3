import type { Migration } from '../migration.js';

/** Scorers that are programs of their owners, and the calls to them. */
export const httpScorers: Migration = {
  version: 30,
  name: 'http-scorers',
  sql: `
-- The secret that signs calls; the data key is wrapped for the key pair.
alter table scorers
  add column key_pair integer references byok_key_pairs (version),
  add column data_key bytea,
  add column secret bytea,
  add constraint scorers_secret check ((key_pair is null) = (data_key is null) and (data_key is null) = (secret is null));

create table scorer_calls (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  scorer_id uuid not null,
  url text not null,
  request json not null,
  -- How the call is answered; live when null.
  calls jsonb,
  -- Null until there is an answer.
  outcome text,
  reasoning text,
  created_at timestamptz not null default now(),
  answered_at timestamptz
);
create index scorer_calls_account on scorer_calls (account_id);
create index scorer_calls_created on scorer_calls (created_at);
`,
};
