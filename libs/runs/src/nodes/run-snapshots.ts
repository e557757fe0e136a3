import type { FundingSource, NodeStatus, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';

/** The state of a node without its input and output. */
export interface NodeState {
  key: string;
  status: NodeStatus;
  generation: number;
  attempt: number;
  tries: number;
  lostAttempts: number;
  /** The outgoing edges whose conditions hold, by index. */
  live: readonly string[] | null;
  state: Readonly<Record<string, unknown>> | null;
}

/** The state of a workflow run and its nodes at one version. */
export interface RunSnapshot {
  runId: string;
  version: number;
  status: RunStatus;
  attempt: number;
  accountId: string;
  requestId: string;
  traceparent: string | null;
  /** The lens of a run without a workflow, which has one node. */
  lensId: string | null;
  workflowId: string | null;
  workflowVersionId: string | null;
  parentRunId: string | null;
  cause: Readonly<Record<string, unknown>> | null;
  inputs: Readonly<Record<string, unknown>>;
  modelId: string | null;
  fundingSource: FundingSource | null;
  byokKeyId: string | null;
  /** The hash of its sticky key. */
  stickyHash: string | null;
  acceptedAt: string;
  msToDeadline: number;
  /** False while a worker holds the run to start its first nodes. */
  planned: boolean;
  nodes: Map<string, NodeState>;
}

const statement = preparedStatement(`
select r.id as "runId", r.node_version as version, r.status, r.attempt, r.account_id as "accountId",
       r.request_id as "requestId", r.traceparent,
       r.lens_id as "lensId", r.workflow_id as "workflowId", r.workflow_version_id as "workflowVersionId", r.parent_run_id as "parentRunId",
       r.cause, r.params as inputs, r.model_id as "modelId", r.funding_source as "fundingSource",
       r.byok_key_id as "byokKeyId", r.sticky_hash as "stickyHash", r.created_at::text as "acceptedAt",
       (extract(epoch from r.deadline_at - now()) * 1000)::float8 as "msToDeadline",
       r.lease_until is null as planned,
       (select coalesce(jsonb_agg(jsonb_build_array(n.node_key, n.status, n.generation, n.attempt, n.tries, n.lost_attempts,
                                                    to_jsonb(n.live), n.state)), '[]')
          from node_results n where n.run_id = r.id) as rows
  from runs r where r.id = any (array(select unnest($1::uuid[])))`);

type Row = [string, NodeStatus, number, number, number, number, string[] | null, Record<string, unknown> | null];

/** Reads runs and their nodes in one statement, so that version and nodes are consistent. */
export async function readSnapshots(ctx: Context, runIds: readonly string[]): Promise<RunSnapshot[]> {
  const runs = await ctx.db.query<(Omit<RunSnapshot, 'nodes'> & { rows: Row[] })[]>(statement, [runIds]);
  return runs.map(({ rows, ...run }) => ({ ...run, nodes: new Map(rows.map((row) => [row[0], toNodeState(row)])) }));
}

const toNodeState = ([key, status, generation, attempt, tries, lostAttempts, live, state]: Row): NodeState => ({
  key,
  status,
  generation,
  attempt,
  tries,
  lostAttempts,
  live,
  state,
});

/** Locks a run, so that no other transaction moves its nodes until the commit. */
export const lockRun = (ctx: Context, runId: string): Promise<unknown> =>
  ctx.db.query('select 1 from runs where id = $1 for update', [runId]);

export interface NodeValues {
  key: string;
  status: NodeStatus;
  /** The items of a map; null for other nodes. */
  input: unknown;
  output: unknown;
  error: { code: string; message: string } | null;
  /** Bytes of input and output as JSON. */
  size: number;
  /** True if input and output were not read because the values of all keys together exceed the limit. */
  tooLarge: boolean;
}

const values = preparedStatement(`
select key, status, error, size, total > $3 as "tooLarge",
       case when total <= $3 then input end as input, case when total <= $3 then output end as output
  from (select *, sum(size) over () as total
          from (select n.node_key as key, n.status, n.error, n.output, case when n.type = 'map' then n.input end as input,
                       (coalesce(octet_length(n.output::text), 0)
                        + case when n.type = 'map' then coalesce(octet_length(n.input::text), 0) else 0 end) as size
                  from node_results n where n.run_id = $1 and n.node_key = any (array(select unnest($2::text[])))) found) sized`);

/** Reads the results of nodes of a run, unless they are larger than `maxBytes` together. */
export const readNodeValues = (
  ctx: Context,
  runId: string,
  keys: readonly string[],
  maxBytes: number,
): Promise<NodeValues[]> => ctx.db.query<NodeValues[]>(values, [runId, keys, maxBytes]);
