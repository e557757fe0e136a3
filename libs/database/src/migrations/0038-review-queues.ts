import type { Migration } from '../migration.js';

/** Queues in which people review answers. */
export const reviewQueues: Migration = {
  version: 38,
  name: 'review-queues',
  sql: `
create table review_queues (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  instructions text,
  scale text not null check (scale in ('verdict', 'marks')),
  -- The people who review; the owners and admins of a community when null.
  reviewers uuid[],
  per_item smallint not null check (per_item between 1 and 2),
  compare_with text,
  created_at timestamptz not null,
  unique (account_id, name)
);
create index review_queues_reviewers on review_queues using gin (reviewers);

create table review_items (
  run_id uuid not null,
  queue_id uuid not null,
  id uuid not null,
  state text not null check (state in ('open', 'tied', 'done')),
  score double precision check (score between 0 and 1),
  primary key (run_id, queue_id),
  check ((state = 'done') = (score is not null))
) partition by range (run_id);
create index review_items_queue on review_items (queue_id, id);
create table review_items_other partition of review_items default;

create table reviews (
  run_id uuid not null,
  queue_id uuid not null,
  reviewer_id uuid not null,
  score double precision not null check (score between 0 and 1),
  comment text,
  corrected text,
  created_at timestamptz not null,
  primary key (run_id, queue_id, reviewer_id)
) partition by range (run_id);
create index reviews_queue on reviews (queue_id);
create index reviews_reviewer on reviews (reviewer_id);
create table reviews_other partition of reviews default;
select make_run_partitions(now(), 3);
`,
};
