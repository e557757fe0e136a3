import type { Migration } from '../migration.js';

/** The reason why the model of a run ended its answer. */
export const finishReasons: Migration = {
  version: 31,
  name: 'finish-reasons',
  sql: `
alter table runs add column finish_reason text;
`,
};
