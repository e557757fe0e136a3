export const extendNodeLeasesSql = `
with held as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("runId" uuid, "nodeKey" text, "attempt" int)
), free as (
  select n.run_id, n.node_key
    from held h join node_results n on n.run_id = h."runId" and n.node_key = h."nodeKey" and n.attempt = h."attempt"
   where n.status = 'running' for update of n skip locked
), extended as (
  update node_results n set lease_until = now() + $2 * interval '1 ms'
    from free f where n.run_id = f.run_id and n.node_key = f.node_key
)
select h."runId", h."nodeKey", h."attempt", exists (
         select from free f where f.run_id = n.run_id and f.node_key = n.node_key) as extended
  from held h join node_results n on n.run_id = h."runId" and n.node_key = h."nodeKey" and n.attempt = h."attempt"
 where n.status = 'running'`;

export const readNodeLeasesSql = `
select h."runId", h."nodeKey", h."attempt"
  from jsonb_to_recordset($1::jsonb) as h("runId" uuid, "nodeKey" text, "attempt" int)
  join node_results n on n.run_id = h."runId" and n.node_key = h."nodeKey" and n.attempt = h."attempt"
 where n.status = 'running'`;
