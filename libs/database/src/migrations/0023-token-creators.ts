import type { Migration } from '../migration.js';

/** Tokens know the administrator who made them, and the row of a token can be deleted with plain SQL. */
export const tokenCreators: Migration = {
  version: 23,
  name: 'token-creators',
  sql: `
-- The person behind the token of a community: the token ends when this person no longer administers the community.
alter table api_tokens add column created_by uuid references accounts (id);

update api_tokens t set created_by = p.id
  from audit_entries e
  join accounts p on p.id::text = e.actor->>'accountId' and p.kind = 'person'
 where t.kind in ('organisation', 'service') and e.account_id = t.account_id and e.account_id <> p.id
   and (e.action = 'token.created' and e.target->>'id' = t.id::text
        or e.action in ('connector.created', 'token.rotated') and e.details->>'tokenId' = t.id::text);

-- A token that was made with another token of the community has the creator of that one.
do $$
begin
  loop
    update api_tokens t set created_by = m.created_by
      from audit_entries e
      join api_tokens m on m.id::text = e.actor->>'credentialId' and m.created_by is not null
     where t.created_by is null and t.kind in ('organisation', 'service') and e.account_id = t.account_id
       and m.account_id = t.account_id
       and (e.action = 'token.created' and e.target->>'id' = t.id::text
            or e.action in ('connector.created', 'token.rotated') and e.details->>'tokenId' = t.id::text);
    exit when not found;
  end loop;
end $$;

-- The code goes with its token: without the row of the sealed token there is nothing left to exchange.
alter table authorization_codes
  drop constraint authorization_codes_token_id_fkey,
  add constraint authorization_codes_token_id_fkey foreign key (token_id) references api_tokens (id) on delete cascade;
create index authorization_codes_token on authorization_codes (token_id) where token_id is not null;

-- The credit limit of a connector outlives the rows of its tokens.
alter table connectors
  add column credit_limit bigint check (credit_limit >= 0),
  add column credit_period text not null default 'month' check (credit_period in ('month', 'total'));
update connectors c set credit_limit = last.credit_limit, credit_period = last.credit_period
  from (select distinct on (connector_id) connector_id, credit_limit, credit_period
          from api_tokens where connector_id is not null order by connector_id, id desc) last
 where last.connector_id = c.id;
`,
};
