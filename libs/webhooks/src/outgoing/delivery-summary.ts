/** SQL columns of a delivery; `d` is its row. */
export const deliverySummary = `
  d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", d.type as event, d.cause, d.state, d.tries,
  d.last_status as "lastStatus", d.last_error as "lastError",
  iso(case when d.state = 'pending' then d.next_at end) as "nextAttemptAt", iso(d.created_at) as "createdAt",
  iso(d.ended_at) as "endedAt"`;
