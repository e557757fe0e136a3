import type { Migration } from '../migration.js';

const added = 'select account_id, status, visibility, 1 as d from added where deleted_at is null';
const removed = 'select account_id, status, visibility, -1 as d from removed where deleted_at is null';

/** The rows of all accounts come last: they are what writers could wait for. */
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
 * A listing is a merge of the cells (status, visibility) that its reader may see, each walked in the order of an index;
 * its total is the sum of the counts of those cells. Counts over all accounts (owner nil) are spread over 16 slots, so
 * that writers seldom wait for each other.
 */
export const lensLibrary: Migration = {
  version: 6,
  name: 'lens-library',
  sql: `
create extension if not exists pg_trgm;

create function lens_words(title text, tags text[], description text, body text) returns tsvector
  language sql immutable parallel safe as $$
  select setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', array_to_string(tags, ' ')), 'B')
      || setweight(to_tsvector('english', description), 'C') || setweight(to_tsvector('english', body), 'D') $$;

alter table lenses
  add column tags text[] not null default '{}',
  add column archived_from text check (archived_from in ('draft', 'published')),
  add column popularity smallint not null default 0,
  add column words tsvector not null default '';
update lenses l set words = lens_words(lower(l.title), '{}', lower(l.description), lower(v.template_body))
  from lens_versions v where v.id = l.head_version_id;

create index lenses_newest on lenses (status, visibility, created_at, id) where deleted_at is null;
create index lenses_popular on lenses (status, visibility, popularity, created_at, id) where deleted_at is null;
create index lenses_own_newest on lenses (account_id, status, visibility, created_at, id) where deleted_at is null;
create index lenses_own_popular on lenses (account_id, status, visibility, popularity, created_at, id) where deleted_at is null;
create index lenses_parent on lenses (parent_lens_id) where parent_lens_id is not null;
create index lenses_tags on lenses using gin (tags) where deleted_at is null;
create index lenses_title_words on lenses using gin (ts_filter(words, '{a}'))
  where deleted_at is null and status = 'published' and visibility <> 'private';
create index lenses_words on lenses using gin (words)
  where deleted_at is null and status = 'published' and visibility <> 'private';
create index lenses_hidden_words on lenses using gin (words)
  where deleted_at is null and not (status = 'published' and visibility <> 'private');

create table lens_uses (
  lens_id uuid primary key references lenses (id),
  uses bigint not null
) with (fillfactor = 70);

create table lens_labels (
  lens_id uuid not null references lenses (id),
  label text not null check (label ~ '^[a-z][a-z0-9._-]{0,63}$'),
  version_id uuid not null references lens_versions (id),
  updated_at timestamptz not null default now(),
  primary key (lens_id, label)
);
create index lens_versions_newest on lens_versions (lens_id, id);

create table lens_terms (term text primary key);
create index lens_terms_alike on lens_terms using gin (term gin_trgm_ops);

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

insert into lens_counts (owner, slot, status, visibility, n)
  select account_id, 0, status, visibility, count(*) from lenses where deleted_at is null group by 1, 3, 4
  union all
  select '00000000-0000-0000-0000-000000000000', lens_count_slot(account_id), status, visibility, count(*)
    from lenses where deleted_at is null group by 2, 3, 4;
${counting('insert', added, 'new table as added')}
${counting('update', `${added} union all ${removed}`, 'new table as added old table as removed')}
${counting('delete', removed, 'old table as removed')}
`,
};
