import type { Migration } from '../migration.js';

/** Versions that only a part of the callers of a label get, and the label that decided about the version of a run. */
export const labelArms: Migration = {
  version: 33,
  name: 'label-arms',
  sql: `
alter table lens_labels add column arms json;
alter table workflow_labels add column arms json;
alter table lens_label_moves add column arms json, add column arms_before json;
alter table workflow_label_moves add column arms json, add column arms_before json;

-- The arms of the default label.
alter table lenses add column served_arms json;
alter table workflows add column served_arms json;

alter table runs add column label text, add column arm text, add column sticky_hash text;
-- The runs of a label by the time of their end.
create index runs_released on runs (account_id, coalesce(workflow_id, lens_id), label, completed_at)
  where label is not null and completed_at is not null;
`,
};
