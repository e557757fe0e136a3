import type { Migration } from '../migration.js';

/** Limits of sponsors for each run and caller, and ticks of schedules that the run limit of their account holds back. */
export const accountLimits: Migration = {
  version: 22,
  name: 'account-limits',
  sql: `
alter table lens_sponsorships
  add column models text[],
  add column max_credits_per_run bigint not null default 50 check (max_credits_per_run > 0),
  add column max_credits_per_caller_per_day bigint not null default 200 check (max_credits_per_caller_per_day > 0);

alter table credit_uses
  add column day date not null default '1970-01-01',
  add column spent_in_day bigint not null default 0 check (spent_in_day >= 0);

alter table schedule_ticks add column retry_at timestamptz;
`,
};
