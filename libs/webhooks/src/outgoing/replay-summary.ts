/** SQL columns of a replay; `r` is its row. */
export const replaySummary = `
  r.id, r.endpoint_id as "endpointId", iso(r.from_at) as "from", iso(r.to_at) as "to", r.what, r.state, r.looked, r.made,
  iso(r.reached_at) as "reachedAt", iso(r.created_at) as "createdAt", iso(r.ended_at) as "endedAt"`;
