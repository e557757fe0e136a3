import type { Migration } from '../migration.js';

/** Default labels, labels of workflows, and the evidence of moves. */
export const releases: Migration = {
  version: 32,
  name: 'releases',
  sql: `
-- The label whose version callers get that name none, and that version; the newest one when null.
alter table lenses
  add column default_label text,
  add column served_version_id uuid references lens_versions (id) deferrable initially deferred,
  add constraint lenses_served check ((default_label is null) = (served_version_id is null));
alter table workflows
  add column default_label text,
  add column served_version_id uuid references workflow_versions (id) deferrable initially deferred,
  add constraint workflows_served check ((default_label is null) = (served_version_id is null));

create table workflow_labels (
  workflow_id uuid not null references workflows (id),
  label text not null check (label ~ '^[a-z][a-z0-9._-]{0,63}$'),
  version_id uuid not null references workflow_versions (id),
  protected boolean not null default false,
  rules json,
  updated_at timestamptz not null,
  primary key (workflow_id, label)
);
alter table lens_labels add column rules json;

-- The version before, how the label moved, and the reason that was given.
alter table lens_label_moves
  add column before_id uuid references lens_versions (id),
  add column kind text not null default 'set' check (kind in ('set', 'return', 'remove')),
  add column reason text check (char_length(reason) <= 500),
  add column evidence jsonb,
  add column overridden boolean not null default false;
update lens_label_moves m set kind = case when version_id is null then 'remove' else 'set' end,
       before_id = (select b.version_id from lens_label_moves b
                     where b.lens_id = m.lens_id and b.label = m.label and b.id < m.id order by b.id desc limit 1);
create table workflow_label_moves (
  id uuid primary key,
  workflow_id uuid not null references workflows (id),
  label text not null,
  version_id uuid references workflow_versions (id),
  before_id uuid references workflow_versions (id),
  kind text not null check (kind in ('set', 'return', 'remove')),
  reason text check (char_length(reason) <= 500),
  evidence jsonb,
  overridden boolean not null default false,
  credential_kind text not null,
  moved_at timestamptz not null
);
create index workflow_label_moves_newest on workflow_label_moves (workflow_id, id);
`,
};
