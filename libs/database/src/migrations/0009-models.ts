import type { Migration } from '../migration.js';

export const models: Migration = {
  version: 9,
  name: 'models',
  sql: `
select 1;
`,
};
