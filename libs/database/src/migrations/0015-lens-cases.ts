import type { Migration } from '../migration.js';

/** Saved parameters of lenses, protected labels and the history of labels. */
export const lensCases: Migration = {
  version: 15,
  name: 'lens-cases',
  sql: `
create table lens_cases (
  id uuid primary key,
  lens_id uuid not null references lenses (id),
  name text not null check (char_length(name) between 1 and 200),
  params jsonb not null,
  reference text check (char_length(reference) <= 100000),
  updated_at timestamptz not null
);
create unique index lens_cases_name on lens_cases (lens_id, name);

alter table lens_labels add column protected boolean not null default false;

create table lens_label_moves (
  id uuid primary key,
  lens_id uuid not null references lenses (id),
  label text not null,
  version_id uuid references lens_versions (id),
  credential_kind text not null,
  moved_at timestamptz not null
);
create index lens_label_moves_newest on lens_label_moves (lens_id, id);
`,
};
