import type { Migration } from '../migration.js';

export const incomingAndPartners: Migration = {
  version: 14,
  name: 'incoming-and-partners',
  sql: `
select 1;
`,
};
