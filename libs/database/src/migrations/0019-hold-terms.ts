import type { Migration } from '../migration.js';

/** The prices and the input of a request whose credits are held, by which text is charged that it delivered without an end. */
export const holdTerms: Migration = {
  version: 19,
  name: 'hold-terms',
  sql: `
alter table node_results add column hold_terms jsonb;
alter table agent_steps add column hold_terms jsonb;
`,
};
