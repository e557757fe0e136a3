/** SQL source of AI lensers `l` with their accounts `a` and owners `o`. Those of a disabled owner do not exist. */
export const aiLensers = `ai_lensers l join accounts a on a.id = l.account_id and a.kind = 'agent'
  join accounts o on o.id = a.owner_account_id and o.disabled_at is null`;

/** SQL columns that any caller may see. */
export const publicColumns = `l.account_id as id, 'ai' as kind, a.handle, a.display_name as "displayName",
  a.description as bio, l.ai_model_key as "aiModelKey",
  jsonb_build_object('id', o.id, 'handle', o.handle, 'displayName', o.display_name) as owner,
  case when l.archived_at is null then 'active' else 'archived' end as status, l.usable_by as "usableBy",
  iso(a.created_at) as "createdAt", iso(l.updated_at) as "updatedAt"`;
