const added = 'select account_id, status, visibility, 1 as d from added where deleted_at is null';
const removed = 'select account_id, status, visibility, -1 as d from removed where deleted_at is null';

/** The rows of all accounts come last: writers could wait for each other there. */
const counting = (verb: string, moves: string, tables: string): string => `
create function count_lenses_on_${verb}() returns trigger language plpgsql as $$ begin
  insert into lens_counts (owner, slot, status, visibility, n)
  select owner, slot, status, visibility, sum(d)
    from (${moves}) as moved,
         lateral (values (account_id, 0::smallint),
                         ('00000000-0000-0000-0000-000000000000'::uuid, lens_count_slot(account_id))) as o (owner, slot)
   group by owner, slot, status, visibility having sum(d) <> 0
   order by owner desc, slot, status, visibility
  on conflict (owner, status, visibility, slot) do update set n = lens_counts.n + excluded.n;
  return null;
end $$;
create trigger lenses_counted_on_${verb} after ${verb} on lenses referencing ${tables}
  for each statement execute function count_lenses_on_${verb}();`;

/**
 * Lenses with versions, labels, search, counts and sponsor pools. A listing merges the cells (status, visibility) that its
 * reader may see, each read in the order of an index; its total is the sum of the counts of those cells. Counts over all
 * accounts (owner nil) are spread over 16 slots, so that writers seldom wait for each other.
 */
export const lenses = `
create extension if not exists pg_trgm;

create function lens_search_vector(title text, tags text[], description text, body text) returns tsvector
  language sql immutable parallel safe as $$
  select setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', array_to_string(tags, ' ')), 'B')
      || setweight(to_tsvector('english', description), 'C') || setweight(to_tsvector('english', body), 'D') $$;

create table lenses (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  title text not null check (char_length(title) between 1 and 200),
  description text not null default '',
  tags text[] not null default '{}',
  visibility text not null check (visibility in ('public', 'community', 'private')),
  status text not null check (status in ('draft', 'published', 'archived')),
  archived_from text check (archived_from in ('draft', 'published')),
  head_version_id uuid not null,
  parent_lens_id uuid references lenses (id),
  popularity smallint not null default 0,
  search_vector tsvector not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index lenses_account on lenses (account_id, id);
create index lenses_newest on lenses (status, visibility, created_at, id) where deleted_at is null;
create index lenses_popular on lenses (status, visibility, popularity, created_at, id) where deleted_at is null;
create index lenses_own_newest on lenses (account_id, status, visibility, created_at, id) where deleted_at is null;
create index lenses_own_popular on lenses (account_id, status, visibility, popularity, created_at, id) where deleted_at is null;
create index lenses_parent on lenses (parent_lens_id) where parent_lens_id is not null;
create index lenses_tags on lenses using gin (tags) where deleted_at is null;
create index lenses_search_title on lenses using gin (ts_filter(search_vector, '{a}'))
  where deleted_at is null and status = 'published' and visibility <> 'private';
create index lenses_search on lenses using gin (search_vector)
  where deleted_at is null and status = 'published' and visibility <> 'private';
create index lenses_search_hidden on lenses using gin (search_vector)
  where deleted_at is null and not (status = 'published' and visibility <> 'private');

create table lens_versions (
  id uuid primary key,
  lens_id uuid not null references lenses (id) deferrable initially deferred,
  semver text not null,
  template_body text not null,
  params jsonb not null,
  changelog text not null default '',
  created_at timestamptz not null default now()
);
create unique index lens_versions_semver on lens_versions (lens_id, semver);
create index lens_versions_newest on lens_versions (lens_id, id);
alter table lenses add constraint lenses_head foreign key (head_version_id) references lens_versions (id)
  deferrable initially deferred;

create table lens_labels (
  lens_id uuid not null references lenses (id),
  label text not null check (label ~ '^[a-z][a-z0-9._-]{0,63}$'),
  version_id uuid not null references lens_versions (id),
  updated_at timestamptz not null default now(),
  primary key (lens_id, label)
);

create table lens_uses (
  lens_id uuid primary key references lenses (id),
  uses bigint not null
) with (fillfactor = 70);

create table search_terms (term text primary key);
create index search_terms_similar on search_terms using gin (term gin_trgm_ops);

create table lens_counts (
  owner uuid not null,
  slot smallint not null,
  status text not null,
  visibility text not null,
  n bigint not null,
  primary key (owner, status, visibility, slot)
) with (fillfactor = 70);

create function lens_count_slot(account uuid) returns smallint language sql immutable as
  $$ select (get_byte(uuid_send(account), 15) % 16)::smallint $$;
${counting('insert', added, 'new table as added')}
${counting('update', `${added} union all ${removed}`, 'new table as added old table as removed')}
${counting('delete', removed, 'old table as removed')}

create table lens_sponsorships (
  lens_id uuid primary key references lenses (id),
  account_id uuid not null references accounts (id),
  enabled boolean not null,
  credits bigint not null check (credits >= 0),
  period text not null check (period in ('month', 'total')),
  models text[],
  max_credits_per_run bigint not null default 50 check (max_credits_per_run > 0),
  max_credits_per_caller_per_day bigint not null default 200 check (max_credits_per_caller_per_day > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
`;
