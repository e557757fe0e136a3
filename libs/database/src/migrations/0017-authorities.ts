import type { Migration } from '../migration.js';

/**
 * The authority of what starts or sends later, and of the editors of graphs. Triggers from before have the two scopes that their
 * runs had. Graphs from before do not restrict, as their triggers do.
 */
export const authorities: Migration = {
  version: 17,
  name: 'authorities',
  sql: `
alter table incoming_webhooks
  add column authority jsonb not null
    default '{"credentialKind": null, "credentialId": null, "scopes": ["workflows:write", "lenses:read"], "creditLimit": null}',
  add column creator_id uuid,
  add column suspended_at timestamptz,
  add column suspended_reason text;
alter table schedules
  add column authority jsonb not null
    default '{"credentialKind": null, "credentialId": null, "scopes": ["workflows:write", "lenses:read"], "creditLimit": null}',
  add column creator_id uuid,
  add column suspended_at timestamptz,
  add column suspended_reason text;
create index schedules_account on schedules (account_id);
alter table webhook_endpoints
  add column creator_id uuid,
  add column suspended_at timestamptz,
  add column suspended_reason text;
alter table workflow_versions
  add column editor jsonb not null
    default '{"scopes": ["lenses:write", "agents:write", "workflows:write", "threads:write", "community:write",
                         "connectors:write", "tokens:write"], "creditLimit": null}';

-- An e-mail to the administrators of a community about what was suspended with the role of its creator.
create table suspension_notices (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  reason text not null,
  items jsonb not null,
  claimed_until timestamptz,
  created_at timestamptz not null default now()
);

-- A stored authority with the credit limit that its token has now; null once the token is revoked. An expired token still
-- counts. Credentials that are no tokens stay as they were stored.
create function current_authority(stored jsonb) returns jsonb language plpgsql stable as
  $$ declare
       credential uuid;
       counter uuid;
       result jsonb;
     begin
       if coalesce(stored ->> 'credentialKind', '') not in ('mcp', 'developer', 'organisation', 'service') then
         return stored;
       end if;
       credential := stored ->> 'credentialId';
       counter := coalesce(stored -> 'creditLimit' ->> 'id', stored ->> 'credentialId');
       if exists (select from api_tokens where id = credential
                      union all select from api_tokens where connector_id = credential)
          and not exists (select from api_tokens where id = credential and revoked_at is null
                          union all select from api_tokens where connector_id = credential and revoked_at is null) then
         return null;
       end if;
       select stored || jsonb_build_object('creditLimit',
                case when t.credit_limit is not null then jsonb_build_object(
                  'id', coalesce(t.connector_id, t.id), 'credits', t.credit_limit, 'period', t.credit_period) end)
         into result
         from (select * from api_tokens where id = counter
               union all select * from api_tokens where connector_id = counter and revoked_at is null) t
        where stored -> 'creditLimit' ->> 'of' is null limit 1;
       return coalesce(result, stored);
     end $$;
`,
};
