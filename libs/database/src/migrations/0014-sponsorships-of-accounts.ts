import type { Migration } from '../migration.js';

/** An index for the list of an account's sponsor pools. */
export const sponsorshipsOfAccounts: Migration = {
  version: 14,
  name: 'sponsorships-of-accounts',
  sql: `
create index lens_sponsorships_account on lens_sponsorships (account_id, lens_id);
`,
};
