import type { Migration } from '../migration.js';

/** Runs of lenses with tools have nodes, whose calls of tools may wait for results of the caller. */
export const toolResults: Migration = {
  version: 24,
  name: 'tool-results',
  sql: `
alter table node_waits
  drop constraint node_waits_kind_check,
  add constraint node_waits_kind_check check (kind in ('approval', 'webhook', 'tool')) not valid;
alter table runs
  drop constraint runs_check2,
  add constraint runs_lease_or_nodes
    check (lease_until is not null or status <> 'running' or kind = 'workflow' or node_version > 0) not valid;
`,
};
