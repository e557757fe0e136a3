import type { Migration } from '../migration.js';

/** Datasets: named cases in revisions. */
export const datasets: Migration = {
  version: 25,
  name: 'datasets',
  sql: `
create table datasets (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null check (char_length(name) between 1 and 200),
  description text not null default '',
  revision integer not null default 0,
  cases integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index datasets_name on datasets (account_id, name);
create index datasets_account on datasets (account_id, id);

create table dataset_revisions (
  dataset_id uuid not null references datasets (id) on delete cascade,
  revision integer not null check (revision > 0),
  added integer not null,
  changed integer not null,
  removed integer not null,
  cases integer not null,
  message text,
  created_at timestamptz not null default now(),
  primary key (dataset_id, revision)
);

-- A case from the revision that has added or changed it until the one that has changed or removed it.
create table dataset_cases (
  dataset_id uuid not null references datasets (id) on delete cascade,
  key text collate "C" not null check (char_length(key) between 1 and 200),
  since integer not null check (since > 0),
  until integer check (until > since),
  params jsonb not null,
  expected jsonb,
  metadata jsonb,
  tags text[] not null default '{}',
  primary key (dataset_id, key, since)
);
create unique index dataset_cases_newest on dataset_cases (dataset_id, key) where until is null;
`,
};
