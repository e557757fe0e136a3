import type { Migration } from '../migration.js';

/**
 * Versions of lenses hold settings, as json, whose members keep their order, which models see in a schema; and the texts of
 * other lenses that they include.
 */
export const lensSettings: Migration = {
  version: 23,
  name: 'lens-settings',
  sql: `
alter table lens_versions add column settings json, add column includes jsonb;
create index lens_versions_includes on lens_versions using gin (includes jsonb_path_ops) where includes is not null;
`,
};
