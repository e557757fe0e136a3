import type { Migration } from '../migration.js';

/** A run may wait for its caller's report instead of a worker. */
export const trackingRecords: Migration = {
  version: 25,
  name: 'tracking-records',
  sql: `
alter table runs drop constraint runs_waits_for_check;
alter table runs add constraint runs_waits_for_check check (waits_for in ('time', 'key', 'place', 'runner', 'report'));
`,
};
