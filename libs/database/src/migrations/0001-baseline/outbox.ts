/** Rows that become jobs, written in the transaction that causes them. */
export const outbox = `
create table outbox (
  id uuid primary key,
  job text not null,
  job_id text not null,
  payload jsonb not null,
  priority integer check (priority > 0),
  available_at timestamptz not null default now(),
  claimed_until timestamptz not null default '-infinity',
  tries integer not null default 0,
  request_id uuid,
  traceparent text,
  created_at timestamptz not null default now()
);
create index outbox_open on outbox (available_at, claimed_until);
alter table outbox set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000);
`;
