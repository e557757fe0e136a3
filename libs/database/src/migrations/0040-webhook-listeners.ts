import type { Migration } from '../migration.js';

/** Accounts whose events are stored for a while without an endpoint, for a program that reads them. */
export const webhookListeners: Migration = {
  version: 40,
  name: 'webhook-listeners',
  sql: `
create table webhook_listeners (
  account_id uuid primary key,
  until timestamptz not null
);

create or replace function account_listens(account uuid, event text) returns boolean language plpgsql stable as
  $$ begin
       return exists (select 1 from webhook_endpoints
                       where account_id = account and disabled_at is null and account_listens.event = any (events))
           or exists (select 1 from webhook_listeners where account_id = account and until > now());
     end $$;
`,
};
