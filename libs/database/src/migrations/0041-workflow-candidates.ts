import type { Migration } from '../migration.js';

/** Graphs that are run before they are saved, by a digest; their number is that of the version from which they were made. */
export const workflowCandidates: Migration = {
  version: 41,
  name: 'workflow-candidates',
  sql: `
alter table workflow_versions add column candidate text;
drop index workflow_versions_number;
create unique index workflow_versions_number on workflow_versions (workflow_id, number) where candidate is null;
create unique index workflow_versions_candidate on workflow_versions (workflow_id, candidate) where candidate is not null;
`,
};
