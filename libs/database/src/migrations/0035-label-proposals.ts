import type { Migration } from '../migration.js';

/** Moves of labels that wait for a second person. */
export const labelProposals: Migration = {
  version: 35,
  name: 'label-proposals',
  sql: `
create table label_proposals (
  id uuid primary key,
  kind text not null check (kind in ('lens', 'workflow')),
  owner_id uuid not null,
  account_id uuid not null,
  label text not null,
  move json not null,
  -- The people who may decide; the owners and admins of a community when null.
  approvers uuid[],
  proposed_by uuid,
  proposed_at timestamptz not null,
  expires_at timestamptz not null,
  status text not null check (status in ('pending', 'approved', 'declined', 'superseded')),
  decided_by uuid,
  decided_at timestamptz,
  comment text check (char_length(comment) <= 500),
  told_at timestamptz,
  claimed_until timestamptz
);
create index label_proposals_account on label_proposals (account_id, id) where status = 'pending';
create index label_proposals_approvers on label_proposals using gin (approvers) where status = 'pending';
create index label_proposals_untold on label_proposals (id) where told_at is null and status = 'pending';
create index label_proposals_owner on label_proposals (owner_id);

-- The proposal for the next move.
alter table lens_labels add column proposal_id uuid;
alter table workflow_labels add column proposal_id uuid;
alter table lens_label_moves add column approved_by uuid;
alter table workflow_label_moves add column approved_by uuid;
`,
};
