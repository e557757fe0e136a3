import type { Migration } from '../migration.js';

export const webhookCare: Migration = {
  version: 13,
  name: 'webhook-care',
  sql: `
select 1;
`,
};
