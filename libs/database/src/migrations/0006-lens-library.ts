import type { Migration } from '../migration.js';

export const lensLibrary: Migration = {
  version: 6,
  name: 'lens-library',
  sql: `
alter table lenses add column tags text[] not null default '{}';
`,
};
