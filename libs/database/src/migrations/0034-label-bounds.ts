import type { Migration } from '../migration.js';

/** Bounds that take a label back to its version before, and what a label returned from. */
export const labelBounds: Migration = {
  version: 34,
  name: 'label-bounds',
  sql: `
alter table lens_labels add column bounds json, add column returned json;
alter table workflow_labels add column bounds json, add column returned json;

-- A label whose runs are watched since it moved, until it moves again. A returned one is kept until its notice was sent.
create table label_watches (
  id uuid primary key,
  kind text not null check (kind in ('lens', 'workflow')),
  owner_id uuid not null,
  account_id uuid not null,
  label text not null,
  version_id uuid not null,
  before_id uuid,
  arms json,
  bounds json not null,
  state json,
  since timestamptz not null,
  looked_at timestamptz not null,
  ended_at timestamptz,
  returned json,
  claimed_until timestamptz
);
create index label_watches_open on label_watches (looked_at) where ended_at is null;
create unique index label_watches_label on label_watches (kind, owner_id, label) where ended_at is null;
create index label_watches_account on label_watches (account_id);
create index label_watches_notices on label_watches (ended_at) where ended_at is not null;
`,
};
