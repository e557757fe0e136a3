/** SQL query for connectors `c`, with their valid token if there is one. */
export const connectorSummary = `
  select c.id, c.account_id as "accountId", c.name, c.scopes, iso(c.created_at) as "createdAt",
         case when t.id is not null then jsonb_build_object(
           'id', t.id, 'prefix', t.prefix, 'createdAt', iso(t.created_at), 'expiresAt', iso(t.expires_at),
           'lastUsedAt', iso(t.last_used_at)) end as token
    from c left join api_tokens t on t.connector_id = c.id and t.revoked_at is null`;
