import type { Migration } from '../migration.js';

/** A notice that somebody is sending is due until it was sent: a process that ends in between takes none with it. */
export const claimedNotices: Migration = {
  version: 19,
  name: 'claimed-notices',
  sql: `
alter table webhook_endpoints add column notice_claimed_until timestamptz;
`,
};
