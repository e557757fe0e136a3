import type { Migration } from '../migration.js';

export const workflows: Migration = {
  version: 11,
  name: 'workflows',
  sql: `
select 1;
`,
};
