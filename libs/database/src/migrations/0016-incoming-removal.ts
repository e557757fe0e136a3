import type { Migration } from '../migration.js';

/** A webhook that is removed may have more calls on record than one statement can delete: they go by and by. */
export const incomingRemoval: Migration = {
  version: 16,
  name: 'incoming-removal',
  sql: `
alter table incoming_webhooks add column removed_at timestamptz;
create index incoming_webhooks_removed on incoming_webhooks (id) where removed_at is not null;
`,
};
