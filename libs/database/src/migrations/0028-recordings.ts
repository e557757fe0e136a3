import type { Migration } from '../migration.js';

/** Recordings of the calls that runs make to the outside, and experiments that use them. */
export const recordings: Migration = {
  version: 28,
  name: 'recordings',
  sql: `
create table recordings (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  -- The earlier answers of the account, which are deleted after some time.
  is_cache boolean not null default false,
  created_at timestamptz not null default now()
);
create index recordings_account on recordings (account_id, id);
create unique index recordings_cache on recordings (account_id) where is_cache;

create table recorded_calls (
  recording_id uuid not null references recordings (id) on delete cascade,
  -- SHA-256 of everything that decides the answer.
  key text collate "C" not null,
  kind text collate "C" not null,
  place text collate "C" not null,
  repetition smallint not null,
  -- Without secrets.
  request json not null,
  response json not null,
  -- The request that has paid for the answer, and what it has used.
  receipt jsonb,
  created_at timestamptz not null default now(),
  primary key (recording_id, key)
);
-- The order of the file.
create index recorded_calls_file on recorded_calls (recording_id, kind, place, repetition, key);

alter table experiments add column calls jsonb;
`,
};
