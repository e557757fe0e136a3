import type { Migration } from '../migration.js';

export const workflowEngine: Migration = {
  version: 12,
  name: 'workflow-engine',
  sql: `
select 1;
`,
};
