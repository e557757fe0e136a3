import type { Migration } from '../migration.js';

/** Threads with messages, mutes, answers of AI lensers and events. */
export const threads: Migration = {
  version: 7,
  name: 'threads',
  sql: `
create table threads (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  subject_type text check (subject_type in ('lens', 'workflow', 'battle', 'run', 'community')),
  subject_id uuid,
  title text not null,
  visibility text not null check (visibility in ('subject', 'private', 'community', 'public')),
  message_count integer not null default 0,
  last_sequence integer not null default 0,
  created_at timestamptz not null,
  last_message_at timestamptz,
  closed_at timestamptz,
  -- The account that closed the thread.
  closed_by uuid,
  check ((subject_type is null) = (subject_id is null)),
  check (visibility <> 'subject' or subject_id is not null)
);
create index threads_subject on threads (subject_id, id) where subject_id is not null;
create index threads_account on threads (account_id, id);
create index threads_listed on threads (visibility, id) where subject_id is null and visibility in ('community', 'public');

create table thread_messages (
  id uuid primary key,
  thread_id uuid not null references threads (id),
  -- Numbered from 1 in the order of commits, so that no page can miss a message.
  position integer not null check (position > 0),
  parent_id uuid references thread_messages (id),
  author_account_id uuid not null references accounts (id),
  -- Empty when deleted.
  text text not null,
  version integer not null default 1,
  mentions uuid[] not null default '{}',
  created_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  hidden_at timestamptz
);
create unique index thread_messages_position on thread_messages (thread_id, position);
create index thread_messages_parent on thread_messages (parent_id, position) where parent_id is not null;

-- The texts that edits have replaced.
create table thread_message_versions (
  message_id uuid not null references thread_messages (id),
  version integer not null,
  text text not null,
  written_at timestamptz not null,
  primary key (message_id, version)
);

create table thread_mutes (
  thread_id uuid not null references threads (id),
  account_id uuid not null references accounts (id),
  muted_by uuid not null,
  created_at timestamptz not null,
  primary key (thread_id, account_id)
);

-- One answer for each mention of an AI lenser.
create table thread_answers (
  message_id uuid not null references thread_messages (id),
  agent_account_id uuid not null references accounts (id),
  thread_id uuid not null references threads (id),
  status text not null check (status in ('waiting', 'running', 'answered', 'failed', 'declined')),
  run_id uuid,
  answer_message_id uuid,
  reason text,
  created_at timestamptz not null,
  started_at timestamptz,
  primary key (message_id, agent_account_id)
);
create unique index thread_answers_run on thread_answers (run_id) where run_id is not null;
create index thread_answers_agent on thread_answers (agent_account_id, started_at) where run_id is not null;

create table thread_events (
  thread_id uuid not null,
  sequence integer not null check (sequence > 0),
  type text not null,
  -- The message of the event, whose present state is sent in place of a payload.
  message_id uuid,
  payload jsonb not null,
  occurred_at timestamptz not null default now(),
  primary key (thread_id, sequence)
);
`,
};
