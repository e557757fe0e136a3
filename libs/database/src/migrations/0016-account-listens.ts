import type { Migration } from '../migration.js';

/** PostgreSQL plans the query of a function in SQL at each call, and that of one in PL/pgSQL once for a connection. */
export const accountListens: Migration = {
  version: 16,
  name: 'account-listens',
  sql: `
create or replace function account_listens(account uuid, event text) returns boolean language plpgsql stable as
  $$ begin
       return exists (select 1 from webhook_endpoints
                       where account_id = account and disabled_at is null and account_listens.event = any (events));
     end $$;
`,
};
