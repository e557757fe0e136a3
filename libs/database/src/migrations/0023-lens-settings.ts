import type { Migration } from '../migration.js';

/** Versions of lenses hold settings. As json, whose members keep their order, which models see in a schema. */
export const lensSettings: Migration = {
  version: 23,
  name: 'lens-settings',
  sql: 'alter table lens_versions add column settings json',
};
