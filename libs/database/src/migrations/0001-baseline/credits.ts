/** Balances, the ledger and credit limits. */
export const credits = `
create table credit_accounts (
  account_id uuid primary key references accounts (id),
  available bigint not null default 0 check (available >= 0),
  held bigint not null default 0 check (held >= 0)
);

-- A run of a workflow holds credits for each of its nodes; what is held for the run as a whole has an empty part.
create table credit_entries (
  id uuid primary key,
  account_id uuid not null references credit_accounts (account_id),
  run_id uuid,
  part text not null default '',
  kind text not null check (kind in ('grant', 'hold', 'capture', 'release')),
  debit text not null,
  credit text not null,
  amount bigint not null check (amount > 0),
  note text,
  key text,
  uses uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  check (debit <> credit)
);
create unique index credit_entries_run on credit_entries (run_id, part, kind) where run_id is not null;
create unique index credit_entries_key on credit_entries (account_id, key) where key is not null;
create index credit_entries_account on credit_entries (account_id, id);

create function refuse_ledger_change() returns trigger language plpgsql as
  $$ begin raise exception 'the ledger is only ever appended to' using errcode = 'insufficient_privilege'; end $$;
create trigger credit_entries_are_kept before update or delete on credit_entries for each row
  execute function refuse_ledger_change();
create trigger credit_entries_stay before truncate on credit_entries for each statement
  execute function refuse_ledger_change();

-- Credits held and spent under a limit: of a token, a connector, a sponsor pool, or a caller of a sponsor.
create table credit_uses (
  id uuid primary key,
  held bigint not null default 0 check (held >= 0),
  spent bigint not null default 0 check (spent >= 0),
  month date not null,
  spent_in_month bigint not null default 0 check (spent_in_month >= 0),
  day date not null default '1970-01-01',
  spent_in_day bigint not null default 0 check (spent_in_day >= 0)
);
`;
