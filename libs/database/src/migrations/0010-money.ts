import type { Migration } from '../migration.js';

export const money: Migration = {
  version: 10,
  name: 'money',
  sql: `
select 1;
`,
};
