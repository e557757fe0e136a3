import type { RunReportRequest, RunReported, RunStatus } from '@lensforge/contracts';
import { type Context, DomainError, badInput, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableRun } from '../access.js';
import type { NewArtifact } from '../end/end-runs.js';
import { type Finish, finishRuns } from '../end/finish-runs.js';
import { Run } from '../run.entity.js';

export interface RunReport extends RunReportRequest {
  runId: string;
}

interface Tracked {
  status: RunStatus;
  workflowId: string;
  accountId: string;
  attempt: number;
  isTracking: boolean;
}

/** Ends a tracking record with the reported outcome, once; with the events, artifact and webhooks of any other run. */
export async function reportRun(ctx: Context, report: RunReport): Promise<RunReported> {
  validate(report);
  const { runId, status } = report;
  return inTransaction(ctx, async (ctx) => {
    await writableRun(ctx, runId);
    const run = await lockRun(ctx, runId);
    if (!run.isTracking) {
      throw new DomainError(
        'CONFLICT',
        'This run is executed by the platform: only a tracking record can be reported',
        {
          status: run.status,
        },
      );
    }
    if (run.status !== 'queued') {
      const message = `This tracking record has ended as ${run.status} already: it can be reported once`;
      throw new DomainError('CONFLICT', message, { status: run.status });
    }
    // The execution began when the caller recorded the run.
    await ctx.db.update(Run, { id: runId }, { status: 'running', startedAt: () => 'created_at' });
    const [events] = await finishRuns(ctx, [toReportFinish(run, report)]);
    if (!events) throw new Error(`tracking record ${runId} could not be ended`);
    return { runId, status };
  });
}

function validate({ status, error }: RunReport): void {
  if (status === 'succeeded' && error !== undefined) throw badInput('error', 'is allowed with the status failed only');
}

async function lockRun({ db }: Context, runId: string): Promise<Tracked> {
  const [run] = await db.query<[Tracked]>(
    `select status, workflow_id as "workflowId", account_id as "accountId", attempt,
            coalesce(cause ->> 'kind' = 'tracking', false) as "isTracking"
       from runs where id = $1 for update`,
    [runId],
  );
  return run;
}

function toReportFinish({ workflowId, attempt }: Tracked, report: RunReport): Finish {
  const { runId, status, output, tokenInput = null, tokenOutput = null, error } = report;
  return {
    runId,
    workflowId,
    attempt,
    events: [],
    hold: 0,
    cost: 0,
    tokenInput,
    tokenOutput,
    artifacts: output === undefined ? [] : [toArtifact(output)],
    failure:
      status === 'failed'
        ? { errorCode: 'REPORTED_FAILED', errorMessage: error ?? 'The caller reported a failure' }
        : null,
  };
}

const toArtifact = (output: unknown): NewArtifact => {
  const isText = typeof output === 'string';
  return {
    id: newId(),
    kind: isText ? 'text' : 'json',
    contentText: isText ? output : null,
    contentJson: isText ? null : output,
    isPrimaryOutput: true,
  };
};
