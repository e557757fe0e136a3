/**
 * Partitions by month of the tables about runs. Ids begin with their time, so a range of ids is a month, and old months
 * are dropped as a whole. A table kept by the month is one that has a partition called <table>_other.
 */
export const partitions = `
create function first_id_of(moment timestamptz) returns uuid language sql immutable strict as
  $$ select rpad(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid $$;

create function tables_by_month() returns setof text language sql stable as
  $$ select relname::text from pg_class
      where relkind = 'p' and relnamespace = current_schema()::regnamespace and to_regclass(relname || '_other') is not null
      order by relname $$;

-- Creates the partition by itself and then attaches it, so that readers and writers of the table do not wait.
create function make_run_partition(parent text, month timestamptz) returns boolean language plpgsql as
  $$ declare
       part text := parent || '_' || to_char(month at time zone 'UTC', 'YYYYMM');
     begin
       if not exists (select from tables_by_month() as known (name) where name = parent) then
         raise exception '% is not a table by the month', parent using errcode = 'insufficient_privilege';
       end if;
       if to_regclass(part) is not null then return false; end if;
       execute format('create table %I (like %I including defaults including constraints including storage)%s', part, parent,
         case parent when 'runs' then ' with (fillfactor = 60)' else '' end);
       execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
         first_id_of(month), first_id_of(month + interval '1 month'));
       return true;
     end $$;

create function make_run_partitions(around timestamptz, months integer) returns void language sql as
  $$ select make_run_partition(parent, date_trunc('month', around, 'UTC') + n * interval '1 month')
       from tables_by_month() parent, generate_series(-1, months) n $$;

-- Drops the partitions of a month (YYYYMM) that is over, and returns their names; null while a run of it has not ended.
create function drop_run_month(month text) returns text[] language plpgsql as
  $$ declare
       parts text[];
       part text;
       unfinished boolean;
     begin
       if to_timestamp(month || '01 +00', 'YYYYMMDD TZH') + interval '1 month' > now() then
         raise exception 'the month % is not over', month using errcode = 'insufficient_privilege';
       end if;
       select coalesce(array_agg(c.relname::text order by t.name = 'runs', t.name), '{}') into parts
         from tables_by_month() as t (name)
         join pg_inherits i on i.inhparent = to_regclass(t.name) join pg_class c on c.oid = i.inhrelid
        where c.relname = t.name || '_' || month;
       if 'runs_' || month = any (parts) then
         execute format('lock table %I in share row exclusive mode', 'runs_' || month);
         execute format('select exists (select from %I where status in (''queued'', ''running''))', 'runs_' || month)
            into unfinished;
         if unfinished then return null; end if;
       end if;
       foreach part in array parts loop
         execute format('drop table %I', part);
       end loop;
       return parts;
     end $$;

-- Both run with the rights of the owner, so that services need no rights to create or drop tables.
do $$ declare
  signature text;
begin
  foreach signature in array array['make_run_partition(text, timestamptz)', 'drop_run_month(text)'] loop
    execute format('alter function %s security definer set search_path = %I, pg_temp', signature, current_schema());
    execute format('revoke execute on function %s from public', signature);
  end loop;
end $$;

select make_run_partitions(now(), 3);
`;
