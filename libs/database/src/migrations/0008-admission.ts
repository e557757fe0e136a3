import type { Migration } from '../migration.js';

export const admission: Migration = {
  version: 8,
  name: 'admission',
  sql: `
select 1;
`,
};
