import type { Migration } from '../migration.js';

/** The change of a lens that its owner has not saved as a version yet. */
export const lensDrafts: Migration = {
  version: 42,
  name: 'lens-drafts',
  sql: `
create table lens_drafts (
  lens_id uuid primary key references lenses (id),
  template_body text not null check (char_length(template_body) <= 100000),
  settings json,
  changelog text not null check (char_length(changelog) <= 2000),
  base_version_id uuid not null,
  updated_at timestamptz not null
);
`,
};
