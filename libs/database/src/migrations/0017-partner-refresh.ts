import type { Migration } from '../migration.js';

/** Tokens of a partner are replaced by one process at a time. */
export const partnerRefresh: Migration = {
  version: 17,
  name: 'partner-refresh',
  sql: `
alter table partner_bundles add column refreshing_until timestamptz;
`,
};
