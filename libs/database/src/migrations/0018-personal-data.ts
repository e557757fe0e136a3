import type { Migration } from '../migration.js';

/**
 * Personal details of audit entries stand beside the chain, which has their salted hash, so that they can be deleted. Entries of
 * earlier releases have all details in the chain; those of closed accounts lose the personal ones, and their hashes stay.
 */
export const personalData: Migration = {
  version: 18,
  name: 'personal-data',
  sql: `
create table audit_details (
  account_id uuid not null,
  sequence bigint not null,
  salt bytea not null,
  details jsonb not null,
  primary key (account_id, sequence)
);

-- True when an entry of this chain, by this actor or about this target names a closed account, its person or its AI lensers.
create function names_closed_account(chain uuid, actor jsonb, target jsonb) returns boolean language sql stable as
  $$ with named as materialized (
       select id::uuid from unnest(array[chain::text, actor ->> 'accountId', actor ->> 'userId', target ->> 'id']) id
        where id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
     )
     select exists (select from named join accounts a on a.id = named.id left join accounts o on o.id = a.owner_account_id
                     where a.closed_at is not null or o.closed_at is not null)
         or exists (select from named join users u on u.id = named.id join accounts a on a.id = u.account_id
                     where a.closed_at is not null) $$;

create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin
  if tg_table_name = 'audit_entries' and tg_op = 'UPDATE' then
    if new.details ->> 'erased' = 'true' and not old.details ? 'personalHash'
       and to_jsonb(new) - 'details' = to_jsonb(old) - 'details'
       and names_closed_account(old.account_id, old.actor, old.target) then
      return new;
    end if;
  elsif tg_table_name = 'audit_details' and tg_op = 'DELETE' then
    if exists (select from audit_entries e where e.account_id = old.account_id and e.sequence = old.sequence
                  and names_closed_account(e.account_id, e.actor, e.target)) then
      return old;
    end if;
  end if;
  raise exception 'the audit log is only ever appended to' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_details_are_kept before update or delete on audit_details for each row
  execute function refuse_audit_change();

-- Deletes the personal details of all entries that name a closed account. It runs with the rights of the owner, since services
-- may only append. The names are the members of earlier entries that name no person.
create function erase_audit_details(closed uuid) returns void language plpgsql as
  $$ declare
       subjects text[];
       impersonal constant text[] := array['accountId', 'action', 'allowed', 'amount', 'by', 'byOperator', 'createdBy',
         'creditLimit', 'creditPeriod', 'credits', 'days', 'enabled', 'ended', 'erased', 'events', 'expiresAt', 'from', 'invited', 'kind', 'left',
         'members', 'messageId', 'overlapSeconds', 'period', 'policy', 'provider', 'revokedGrants', 'role', 'runId', 'runIds', 'runs', 'scopes',
         'sessions', 'to', 'tokenId', 'tokens', 'userId', 'verdict', 'workflowId'];
     begin
       if not exists (select from accounts where id = closed and closed_at is not null) then
         raise exception 'the account % is not closed', closed using errcode = 'insufficient_privilege';
       end if;
       select array_agg(id::text) into subjects
         from (select closed as id union select id from users where account_id = closed
               union select id from accounts where owner_account_id = closed) s;
       with named as materialized (
         select account_id, sequence, details from audit_entries
          where account_id = any (subjects::uuid[]) or actor ->> 'accountId' = any (subjects)
             or actor ->> 'userId' = any (subjects) or target ->> 'id' = any (subjects)
       ), deleted as (
         delete from audit_details d using named n where d.account_id = n.account_id and d.sequence = n.sequence
       )
       update audit_entries e
          set details = (select coalesce(jsonb_object_agg(member, value), '{}') from jsonb_each(e.details) m (member, value)
                          where member = any (impersonal)) || '{"erased": true}'
         from named n
        where e.account_id = n.account_id and e.sequence = n.sequence and not n.details ? 'personalHash'
          and exists (select from jsonb_object_keys(n.details) member where member <> all (impersonal));
     end $$;

do $$ begin
  execute format('alter function erase_audit_details(uuid) security definer set search_path to %I, pg_temp', current_schema());
  revoke execute on function erase_audit_details(uuid) from public;
end $$;

-- The accounts that may enter, mention and run an AI lenser besides its owner: those in a community with the owner, by default.
alter table ai_lensers add column usable_by text not null default 'communities'
  check (usable_by in ('nobody', 'communities', 'anyone'));
-- The account that entered a contender; null for those of earlier releases.
alter table battle_contenders add column entered_by uuid;

create function may_use_ai_lenser(agent uuid, caller uuid) returns boolean language sql stable as
  $$ select exists (
       select from ai_lensers l join accounts a on a.id = l.account_id
         join accounts c on c.id = caller, lateral (select coalesce(c.owner_account_id, c.id) as id) u
        where l.account_id = agent
          and (u.id = a.owner_account_id or l.usable_by = 'anyone'
               or l.usable_by = 'communities'
                  and (exists (select from memberships m join memberships n on n.community_id = m.community_id
                                where m.account_id = u.id and n.account_id = a.owner_account_id)
                       or exists (select from memberships m where m.community_id = u.id and m.account_id = a.owner_account_id)))) $$;

-- Workers erase again what earlier releases left of closed accounts.
update accounts set erased_at = null where erased_at is not null;
`,
};
