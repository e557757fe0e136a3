/** Read tokens of runs, and the event streams of batches and tags. */
export const runStreams = `
create table run_read_tokens (
  hash bytea primary key,
  run_id uuid not null,
  made_by jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index run_read_tokens_expiry on run_read_tokens (expires_at);

create table run_streams (
  id uuid primary key,
  account_id uuid not null,
  label text not null,
  position bigint not null default 0,
  seen xid8 not null default '0',
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
create unique index run_streams_label on run_streams (account_id, label);
create index run_streams_used on run_streams (used_at);

-- The runs of a stream, and the last event of each that the stream has.
create table run_stream_runs (
  stream_id uuid not null references run_streams (id) on delete cascade,
  run_id uuid not null,
  last_sequence integer not null default 0,
  ended boolean not null default false,
  primary key (stream_id, run_id)
);
create index run_stream_runs_open on run_stream_runs (stream_id, run_id) where not ended;

-- The order of a stream: ranges of the events of its runs, by position.
create table run_stream_ranges (
  stream_id uuid not null references run_streams (id) on delete cascade,
  position bigint not null,
  run_id uuid not null,
  first_sequence integer not null,
  last_sequence integer not null,
  written_at timestamptz not null default now(),
  primary key (stream_id, position)
);
create index run_stream_ranges_written on run_stream_ranges (written_at);
`;
