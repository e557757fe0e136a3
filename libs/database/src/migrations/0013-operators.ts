import type { Migration } from '../migration.js';

/** The people who may see and change the queues of the whole installation. */
export const operators: Migration = {
  version: 13,
  name: 'operators',
  sql: `
create table operators (
  account_id uuid primary key references accounts (id),
  appointed_at timestamptz not null default now()
);
`,
};
