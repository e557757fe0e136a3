export const readRunStreamSql = `
with parts as materialized (
  select position, run_id, first_sequence, last_sequence from run_stream_ranges
   where stream_id = $1 and position <= $2::bigint + $3::int
     and position >= coalesce((select max(position) from run_stream_ranges where stream_id = $1 and position <= $2::bigint + 1), 0)
)
select (p.position + e.sequence - p.first_sequence)::float8 as position, r.kind,
       e.type as "eventType", e.payload, iso(e.occurred_at) as "occurredAt", e.run_id as "runId", e.sequence
  from parts p
  join runs r on r.id = p.run_id
  join run_events e on e.run_id = p.run_id
   and e.sequence between greatest(p.first_sequence, p.first_sequence + $2::bigint + 1 - p.position)
                      and least(p.last_sequence, p.first_sequence + $2::bigint + $3::int - p.position)
 order by 1`;
