import type { Migration } from '../migration.js';

/** PostgreSQL has the function itself from 18 on. */
export const uuidv7Before18: Migration = {
  version: 21,
  name: 'uuidv7-before-18',
  sql: `
do $$ begin
  if to_regprocedure('pg_catalog.uuidv7()') is null then
    create function uuidv7(shift interval default interval '0') returns uuid language sql volatile as
      $sql$ select encode(
              set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
                placing substring(int8send(floor(extract(epoch from clock_timestamp() + shift) * 1000)::bigint) from 3)
                from 1 for 6), 52, 1), 53, 1), 'hex')::uuid $sql$;
  end if;
end $$`,
};
