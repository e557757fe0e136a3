import type { Migration } from '../migration.js';

/** Empty as long as all is well: asking whether it is costs nothing. */
export const invariants: Migration = {
  version: 15,
  name: 'invariants',
  sql: `
create index runs_unsettled on runs (id) where completed_at is not null and billing_status = 'reserved';
`,
};
