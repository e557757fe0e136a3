/** SQL columns of a thread `t` with its owner `o`. */
export const threadColumns = `
  t.id, t.subject_type as "subjectType", t.subject_id as "subjectId", t.title, t.visibility,
  case when t.closed_at is null then 'open' else 'closed' end as status,
  jsonb_build_object('id', o.id, 'handle', o.handle, 'displayName', o.display_name) as owner,
  t.message_count as "messageCount", iso(t.created_at) as "createdAt", iso(t.last_message_at) as "lastMessageAt",
  iso(t.closed_at) as "closedAt"`;
