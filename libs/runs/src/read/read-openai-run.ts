import type { RunKind, RunStatus, Sampling } from '@lensforge/contracts';
import { type Context, notFound, requireScope } from '@lensforge/core';
import { scopeKindSql, scopeToRead } from '../access.js';

/** The request of a run that a program sent in the form of another API. */
export interface OpenAiRun {
  id: string;
  kind: RunKind;
  status: RunStatus;
  batchId: string | null;
  lensVersionId: string | null;
  params: Record<string, unknown>;
  /** The members of the request that the run has nowhere else. */
  request: Record<string, unknown>;
  sampling: Sampling | null;
  outputSchema: Record<string, unknown> | null;
  metadata: Record<string, unknown> | null;
  /** The calls of tools that wait for results. */
  openCalls: number;
  /** The last calls of tools that waited for results; null without any. */
  lastCalls: { callId: string }[] | null;
}

const columns = `id, kind, ${scopeKindSql} as "scopeKind", status, batch_id as "batchId", lens_version_id as "lensVersionId", params, cause -> 'openai' as request,
  sampling, output_schema as "outputSchema", metadata,
  (select count(*)::int from node_waits w where w.run_id = r.id and w.kind = 'tool' and w.decision is null) as "openCalls",
  (select payload -> 'calls' from run_events e where e.run_id = r.id and e.type = 'run.requires_action'
    order by sequence desc limit 1) as "lastCalls"`;

/** A run of the caller that began in the form of another API; other runs are NOT_FOUND. */
export async function readOpenAiRun(ctx: Context, runId: string): Promise<OpenAiRun> {
  const [found] = await ctx.db.query<(OpenAiRun & { scopeKind: RunKind })[]>(
    `select ${columns} from runs r where id = $1 and account_id = $2 and cause ? 'openai'`,
    [runId, ctx.actor.accountId],
  );
  if (!found) throw notFound('run', runId);
  requireScope(ctx, scopeToRead[found.scopeKind]);
  return found;
}

/** The runs of the caller in a batch, in the order of their ids, which is that of their acceptance. */
export async function listOpenAiRuns(ctx: Context, batchId: string): Promise<string[]> {
  const runs = await ctx.db.query<{ id: string }[]>(
    `select id from runs where batch_id = $1 and account_id = $2 and cause ? 'openai' order by id limit 100`,
    [batchId, ctx.actor.accountId],
  );
  return runs.map(({ id }) => id);
}

/** The calls of tools in the answers of runs of the caller, by the ids of the runs. */
export async function readAnsweredCalls(ctx: Context, runIds: readonly string[]): Promise<Map<string, unknown[]>> {
  const logs = await ctx.db.query<{ runId: string; calls: unknown[] }[]>(
    `select a.run_id as "runId", a.content_json as calls from run_artifacts a join runs r on r.id = a.run_id
      where a.run_id = any ($1) and r.account_id = $2 and r.kind = 'prompt' and a.kind = 'tool_log'`,
    [runIds, ctx.actor.accountId],
  );
  return new Map(logs.map(({ runId, calls }) => [runId, calls]));
}
