import type { ArtifactKind, PlatformEventType, RunEvent } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { settleCredits } from '@lensforge/credits';
import { inTransaction, preparedStatement, toJsonb } from '@lensforge/database';
import type { NewRunEvent } from '../execute/append-events.js';
import { asRunEvent } from '../execute/append-events.js';
import { correlationOf } from '../accept/run-origin.js';
import type { Fence } from '../execute/fence.js';
import { fenceOf, inOrder } from '../execute/fence.js';

export interface NewArtifact {
  id: string;
  kind: ArtifactKind;
  contentText: string | null;
  contentJson: unknown;
  isPrimaryOutput: boolean;
}

export interface Finish {
  runId: string;
  accountId: string;
  workflowId: string | null;
  attempt: number;
  /** Events to write, in order; the finish adds those of artifacts, credits and the end. */
  events: readonly NewRunEvent[];
  artifacts: readonly NewArtifact[];
  tokenInput: number | null;
  tokenOutput: number | null;
  hold: number;
  /** Never more than the hold. */
  cost: number;
  failure: { errorCode: string; errorMessage: string } | null;
  /** The model that answered, if it is not the one of the run. */
  answeredBy?: { modelId: string; providerKey: string } | null;
}

const statement = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x(
    "runId" uuid, "attempt" int, "status" text, "events" jsonb, "artifacts" jsonb, "tokenInput" int, "tokenOutput" int,
    "cost" bigint, "billing" text, "errorCode" text, "errorMessage" text, "eventId" uuid, "eventType" text, "data" jsonb,
    "answeredModelId" uuid, "answeredProvider" text)
), ended as (
  update runs r set status = i."status", completed_at = now(), lease_until = null, worker = null,
         last_sequence = r.last_sequence + jsonb_array_length(i."events"), token_input = i."tokenInput",
         token_output = i."tokenOutput", credit_cost = i."cost", billing_status = i."billing",
         error_code = i."errorCode", error_message = i."errorMessage",
         answered_model_id = i."answeredModelId", provider_key = coalesce(i."answeredProvider", r.provider_key)
    from input i
   where r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.attempt = i."attempt" and r.status = 'running'
  returning r.id, r.attempt, r.account_id, r.request_id, r.traceparent, r.last_sequence - jsonb_array_length(i."events") as before,
            r.lens_id, r.tags, r.metadata,
            (extract(epoch from now() - r.started_at) * 1000)::int as latency
), new_events as (
  insert into run_events (run_id, sequence, type, payload)
  select t.id, t.before + e.position::int, e.event ->> 'type',
         case when e.event ->> 'type' = 'run.succeeded'
              then e.event -> 'payload' || jsonb_build_object('latencyMs', t.latency) else e.event -> 'payload' end
    from ended t join input i on i."runId" = t.id and i."attempt" = t.attempt, jsonb_array_elements(i."events") with ordinality as e(event, position)
), new_artifacts as (
  insert into run_artifacts (id, run_id, kind, content_text, content_json, is_primary_output, visibility)
  select a."id", t.id, a."kind", a."contentText", a."contentJson", a."isPrimaryOutput", 'private'
    from ended t join input i on i."runId" = t.id and i."attempt" = t.attempt, jsonb_to_recordset(i."artifacts") as a(
         "id" uuid, "kind" text, "contentText" text, "contentJson" jsonb, "isPrimaryOutput" boolean)
), new_jobs as (
  insert into outbox (id, job, job_id, payload, request_id, traceparent)
  select i."eventId", '${jobs.fanOutPlatformEvent.name}', i."eventId" || '-g0',
         jsonb_build_object('eventId', i."eventId", 'type', i."eventType", 'accountId', t.account_id,
                            'occurredAt', iso(now()), 'data', i."data" || ${correlationOf('t')}), t.request_id, t.traceparent
    from ended t join input i on i."runId" = t.id and i."attempt" = t.attempt where account_listens(t.account_id, i."eventType")
)
select id, attempt, before, latency, iso(now()) as at from ended`);

/**
 * Ends runs that their workers have executed: status, artifacts, events and outbox rows in one commit. A call contains
 * each attempt at most once. Runs with a hold need finishWithSettlement.
 */
export async function finishRuns(ctx: Context, finishes: readonly Finish[]): Promise<(RunEvent[] | undefined)[]> {
  const paid = finishes.find(({ hold }) => hold > 0);
  if (paid) throw new Error(`run ${paid.runId} holds credits: they must be settled with its end`);
  return write(ctx, finishes);
}

/** Ends one run that holds credits; the settlement is part of the commit. */
export function finishWithSettlement(ctx: Context, finish: Finish): Promise<RunEvent[] | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const [events] = await write(ctx, [finish]);
    const { runId, cost } = finish;
    if (events) await settleCredits(ctx, { runId, cost });
    return events;
  });
}

interface Ended extends Fence {
  before: number;
  latency: number;
  at: string;
}

async function write(ctx: Context, finishes: readonly Finish[]): Promise<(RunEvent[] | undefined)[]> {
  const input = finishes.map((finish) => ({
    runId: finish.runId,
    attempt: finish.attempt,
    status: finish.failure ? 'failed' : 'succeeded',
    events: eventsOf(finish),
    artifacts: finish.artifacts,
    tokenInput: finish.tokenInput,
    tokenOutput: finish.tokenOutput,
    cost: finish.cost,
    billing: finish.hold === 0 ? 'none' : finish.cost > 0 ? 'charged' : 'released',
    ...finish.failure,
    answeredModelId: finish.answeredBy?.modelId ?? null,
    answeredProvider: finish.answeredBy?.providerKey ?? null,
    ...platformEventOf(finish),
  }));
  const rows = await ctx.db.query<Ended[]>(statement, [toJsonb(inOrder(input))]);
  const ended = new Map(rows.map((row) => [fenceOf(row), row]));
  return input.map(({ runId, attempt, events }) => {
    const row = ended.get(fenceOf({ id: runId, attempt }));
    return (
      row &&
      events.map((event, index) => asRunEvent(withLatency(event, row.latency), runId, row.before + index + 1, row.at))
    );
  });
}

function eventsOf({ events, artifacts, hold, cost, failure, tokenInput, tokenOutput }: Finish): NewRunEvent[] {
  const all: NewRunEvent[] = [...events];
  for (const { id, kind, isPrimaryOutput } of artifacts) {
    all.push({ type: 'artifact.created', payload: { artifactId: id, artifactKind: kind, isPrimaryOutput } });
  }
  if (cost > 0) all.push({ type: 'credits.charged', payload: { amount: cost } });
  if (hold > cost) all.push({ type: 'credits.released', payload: { amount: hold - cost } });
  all.push(
    failure
      ? { type: 'run.failed', payload: failure }
      : { type: 'run.succeeded', payload: { latencyMs: 0, tokenInput, tokenOutput, creditCost: cost } },
  );
  return all;
}

const withLatency = (event: NewRunEvent, latencyMs: number): NewRunEvent =>
  event.type === 'run.succeeded' ? { type: event.type, payload: { ...event.payload, latencyMs } } : event;

function platformEventOf({ runId, workflowId, failure, artifacts, cost }: Finish): {
  eventId: string;
  eventType: PlatformEventType;
  data: object;
} {
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
  return { eventId, eventType: 'run.completed', data: { runId, workflowId, status: 'succeeded', outputs, cost } };
}
