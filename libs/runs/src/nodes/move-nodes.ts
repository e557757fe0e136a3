import type { NodeStatus, PlatformEventType, RunEvent, RunStatus } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { preparedStatement, toJsonb } from '@lensforge/database';
import type { OutboxRow } from '@lensforge/database';
import type { NewRunEvent } from '../execute/append-events.js';
import { asRunEvent } from '../execute/append-events.js';
import { inOrder } from '../execute/fence.js';
import type { NewArtifact } from '../end/finish-runs.js';
import { correlationOf } from '../accept/run-origin.js';
import { nodeJobId } from './node-job-id.js';

/** The state of a node after the move. */
export interface NodeMove {
  key: string;
  nodeId: string;
  type: string;
  status: NodeStatus;
  generation: number;
  attempt: number;
  tries: number;
  lostAttempts: number;
  /** The worker that holds the node while it is running. */
  worker: string | null;
  leaseMs: number | null;
  /** Milliseconds until a waiting node is checked or a queued one is retried. */
  dueMs: number | null;
  live: readonly string[] | null;
  state: Readonly<Record<string, unknown>> | null;
  /** Absent members keep their values. */
  input?: unknown;
  output?: unknown;
  error?: { code: string; message: string } | null;
  modelCalls?: number;
  tokensUsed?: number;
  cost?: number;
}

export interface NewNodeJob {
  key: string;
  generation: number;
  delayMs: number;
  /** The run of the node; set if it is the parent run that waits for this one. */
  runId?: string;
}

export interface NewWait {
  id: string;
  key: string;
  kind: 'approval' | 'webhook';
  message: string | null;
  details: unknown;
  expiresMs: number;
}

export interface RunMoveEnd {
  status: Extract<RunStatus, 'succeeded' | 'failed'>;
  artifacts: readonly NewArtifact[];
  failure: { errorCode: string; errorMessage: string } | null;
}

/** A state change of nodes of a run, with everything that is committed together. */
export interface RunMove {
  runId: string;
  /** The version of the snapshot on which the move was decided. */
  version: number;
  /** The attempt of the worker that starts the run; later moves need none. */
  attempt: number | null;
  requestId: string;
  traceparent: string | null;
  workflowId: string | null;
  /** Without the events of the end of the run, which the move adds. */
  events: readonly NewRunEvent[];
  nodes: readonly NodeMove[];
  jobs: readonly NewNodeJob[];
  waits: readonly NewWait[];
  /** The credits spent by the nodes that end with this move. */
  spent: number;
  modelCalls: number;
  tokenInput: number;
  tokenOutput: number;
  end: RunMoveEnd | null;
}

const statement = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x(
    "runId" uuid, "version" int, "attempt" int, "events" jsonb, "nodes" jsonb, "jobs" jsonb, "waits" jsonb, "spent" bigint,
    "modelCalls" int, "tokenInput" int, "tokenOutput" int, "status" text, "artifacts" jsonb, "billing" text,
    "errorCode" text, "errorMessage" text, "eventId" uuid, "eventType" text, "data" jsonb,
    "requestId" uuid, "traceparent" text)
), moved as (
  update runs r set node_version = r.node_version + 1, lease_until = null, worker = null,
         last_sequence = r.last_sequence + jsonb_array_length(i."events"),
         spent_credits = r.spent_credits + i."spent", model_calls = r.model_calls + i."modelCalls",
         token_input = coalesce(r.token_input, 0) + i."tokenInput",
         token_output = coalesce(r.token_output, 0) + i."tokenOutput",
         status = coalesce(i."status", r.status), completed_at = case when i."status" is not null then now() end,
         credit_cost = case when i."status" is not null then r.spent_credits + i."spent" end,
         billing_status = case when i."status" is not null and r.spent_credits + i."spent" > 0 then 'charged'
                               else r.billing_status end,
         error_code = i."errorCode", error_message = i."errorMessage"
    from input i
   where r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.status = 'running' and r.node_version = i."version"
     and (i."attempt" is null or r.attempt = i."attempt")
  returning r.id, r.account_id, r.last_sequence - jsonb_array_length(i."events") as before,
            r.lens_id, r.tags, r.metadata,
            jsonb_build_object('latencyMs', (extract(epoch from now() - r.started_at) * 1000)::int,
                               'tokenInput', r.token_input, 'tokenOutput', r.token_output, 'creditCost', r.spent_credits) as sums
), written as (
  insert into node_results (run_id, node_key, node_id, type, status, generation, attempt, tries, lost_attempts, worker,
                            lease_until, due_at, live, state, input, output, error, model_calls, tokens_used, cost_credits,
                            queued_at, started_at, completed_at)
  select m.id, n."key", n."nodeId", n."type", n."status", n."generation", n."attempt", n."tries", n."lostAttempts", n."worker",
         now() + n."leaseMs" * interval '1 ms', now() + n."dueMs" * interval '1 ms', n."live", n."state", n."input", n."output",
         n."error", coalesce(n."modelCalls", 0), coalesce(n."tokensUsed", 0), coalesce(n."cost", 0),
         now() + coalesce(n."dueMs", 0) * interval '1 ms',
         case when n."attempt" > 0 then now() end,
         case when n."status" in ('succeeded', 'failed', 'skipped', 'canceled', 'timed_out') then now() end
    from moved m join input i on i."runId" = m.id, jsonb_to_recordset(i."nodes") as n(
         "key" text, "nodeId" text, "type" text, "status" text, "generation" int, "attempt" int, "tries" int,
         "lostAttempts" int, "worker" text, "leaseMs" float8, "dueMs" float8, "live" text[], "state" jsonb, "input" jsonb,
         "output" jsonb, "error" jsonb, "modelCalls" int, "tokensUsed" int, "cost" bigint)
  on conflict (run_id, node_key) do update
     set status = excluded.status, generation = excluded.generation, attempt = excluded.attempt, tries = excluded.tries,
         lost_attempts = excluded.lost_attempts, worker = excluded.worker, lease_until = excluded.lease_until,
         due_at = excluded.due_at, live = excluded.live, state = excluded.state,
         input = coalesce(excluded.input, node_results.input), output = coalesce(excluded.output, node_results.output),
         error = excluded.error, model_calls = node_results.model_calls + excluded.model_calls,
         tokens_used = node_results.tokens_used + excluded.tokens_used,
         cost_credits = node_results.cost_credits + excluded.cost_credits,
         reserved_credits = case when excluded.completed_at is null then node_results.reserved_credits else 0 end,
         queued_at = case when excluded.status = 'queued' then excluded.queued_at else node_results.queued_at end,
         started_at = coalesce(node_results.started_at, excluded.started_at), completed_at = excluded.completed_at
), new_waits as (
  insert into node_waits (run_id, id, node_key, kind, message, details, expires_at)
  select m.id, w."id", w."key", w."kind", w."message", w."details", now() + w."expiresMs" * interval '1 ms'
    from moved m join input i on i."runId" = m.id, jsonb_to_recordset(i."waits") as w(
         "id" uuid, "key" text, "kind" text, "message" text, "details" jsonb, "expiresMs" float8)
), new_events as (
  insert into run_events (run_id, sequence, type, payload)
  select m.id, m.before + e.position::int, e.event ->> 'type',
         case when e.event ->> 'type' = 'run.succeeded'
              then m.sums else e.event -> 'payload' end
    from moved m join input i on i."runId" = m.id, jsonb_array_elements(i."events") with ordinality as e(event, position)
), new_artifacts as (
  insert into run_artifacts (id, run_id, kind, content_text, content_json, is_primary_output, visibility)
  select a."id", m.id, a."kind", a."contentText", a."contentJson", a."isPrimaryOutput", 'private'
    from moved m join input i on i."runId" = m.id, jsonb_to_recordset(i."artifacts") as a(
         "id" uuid, "kind" text, "contentText" text, "contentJson" jsonb, "isPrimaryOutput" boolean)
), new_jobs as (
  insert into outbox (id, job, job_id, payload, available_at, claimed_until, request_id, traceparent)
  select j."id", '${jobs.executeNode.name}', j."jobId",
         jsonb_build_object('runId', j."runId", 'nodeKey', j."key", 'generation', j."generation"),
         now() + j."delayMs" * interval '1 ms',
         case when j."delayMs" = 0 then now() + interval '3 s' else '-infinity' end, i."requestId", i."traceparent"
    from moved m join input i on i."runId" = m.id, jsonb_to_recordset(i."jobs") as j(
         "id" uuid, "jobId" text, "runId" uuid, "key" text, "generation" int, "delayMs" float8)
  union all
  select i."eventId", '${jobs.fanOutPlatformEvent.name}', i."eventId" || '-g0',
         jsonb_build_object('eventId', i."eventId", 'type', i."eventType", 'accountId', m.account_id,
                            'occurredAt', iso(now()), 'data', i."data" || ${correlationOf('m')} || case when i."status" = 'succeeded'
                              then jsonb_build_object('cost', m.sums -> 'creditCost') else '{}' end),
         now(), '-infinity', i."requestId", i."traceparent"
    from moved m join input i on i."runId" = m.id
   where i."eventType" is not null and account_listens(m.account_id, i."eventType")
)
select id, before, sums, iso(now()) as at from moved`);

/** Totals of a succeeded run, including the runs that it started. */
type Sums = Extract<NewRunEvent, { type: 'run.succeeded' }>['payload'];
const unknownSums: Sums = { latencyMs: 0, tokenInput: null, tokenOutput: null, creditCost: 0 };

export interface Moved {
  events: RunEvent[];
  /** Outbox rows of the jobs that are due now, for the caller to publish. */
  handOver: OutboxRow[];
}

/** Commits moves of several runs in one statement; undefined if the run has ended or its version has changed. */
export async function moveNodes(ctx: Context, moves: readonly RunMove[]): Promise<(Moved | undefined)[]> {
  const input = moves.map((move) => {
    const { runId, requestId, traceparent, end } = move;
    const newJobs = move.jobs.map((job) => ({
      ...job,
      id: newId(),
      runId: job.runId ?? runId,
      jobId: nodeJobId(job.runId ?? runId, job.key, job.generation),
    }));
    const { version, attempt, nodes, waits, spent, modelCalls, tokenInput, tokenOutput } = move;
    return {
      runId,
      version,
      attempt,
      requestId,
      traceparent,
      nodes,
      waits,
      spent,
      modelCalls,
      tokenInput,
      tokenOutput,
      jobs: newJobs,
      events: end ? [...move.events, ...eventsOfEnd(end)] : move.events,
      status: end?.status,
      artifacts: end?.artifacts ?? [],
      ...end?.failure,
      ...(end && platformEventOf(move, end)),
    };
  });
  const rows = await ctx.db.query<{ id: string; before: number; sums: Sums; at: string }[]>(statement, [
    toJsonb(inOrder(input)),
  ]);
  const moved = new Map(rows.map((row) => [row.id, row]));
  return input.map(({ runId, events, jobs: newJobs, requestId, traceparent }) => {
    const row = moved.get(runId);
    if (!row) return undefined;
    const { before, sums, at } = row;
    return {
      events: events.map((event, index) => asRunEvent(withSums(event, sums), runId, before + index + 1, at)),
      handOver: newJobs
        .filter(({ delayMs }) => delayMs === 0)
        .map(({ id, jobId, runId: jobRunId, key, generation }) => ({
          id,
          jobId,
          requestId,
          traceparent,
          job: jobs.executeNode.name,
          payload: { runId: jobRunId, nodeKey: key, generation },
          availableAt: new Date(0),
        })),
    };
  });
}

const withSums = (event: NewRunEvent, payload: Sums): NewRunEvent =>
  event.type === 'run.succeeded' ? { type: event.type, payload } : event;

function eventsOfEnd({ artifacts, failure }: RunMoveEnd): NewRunEvent[] {
  const events: NewRunEvent[] = artifacts.map(({ id, kind, isPrimaryOutput }) => ({
    type: 'artifact.created',
    payload: { artifactId: id, artifactKind: kind, isPrimaryOutput },
  }));
  events.push(failure ? { type: 'run.failed', payload: failure } : { type: 'run.succeeded', payload: unknownSums });
  return events;
}

function platformEventOf(
  { runId, workflowId }: RunMove,
  { failure, artifacts }: RunMoveEnd,
): { eventId: string; eventType: PlatformEventType; data: object } {
  const eventId = newId();
  if (failure) {
    const error = { code: failure.errorCode, message: failure.errorMessage };
    return { eventId, eventType: 'run.failed', data: { runId, workflowId, error } };
  }
  const outputs = artifacts.map(({ id, kind, contentText, contentJson, isPrimaryOutput }) => ({
    artifactId: id,
    artifactKind: kind,
    contentText,
    contentJson,
    isPrimaryOutput,
  }));
  return { eventId, eventType: 'run.completed', data: { runId, workflowId, status: 'succeeded', outputs } };
}
