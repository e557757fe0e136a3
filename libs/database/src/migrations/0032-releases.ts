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
`,
};
