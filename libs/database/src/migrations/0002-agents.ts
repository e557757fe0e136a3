import type { Migration } from '../migration.js';

/** AI lensers: the members that an account of the kind `agent` has in addition. */
export const agents: Migration = {
  version: 2,
  name: 'agents',
  sql: `
create table ai_lensers (
  account_id uuid primary key references accounts (id),
  ai_model_key text,
  instructions text not null,
  policy jsonb not null,
  archived_at timestamptz,
  updated_at timestamptz not null
);
create index ai_lensers_active on ai_lensers (account_id) where archived_at is null;
create index ai_lensers_archived on ai_lensers (account_id) where archived_at is not null;
create index accounts_ai_lensers on accounts using gin ((handle || ' ' || display_name) gin_trgm_ops) where kind = 'agent';
`,
};
