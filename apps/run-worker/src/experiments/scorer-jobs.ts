import { type CallScorerJob, jobs } from '@lensforge/contracts';
import { deleteFromOutbox } from '@lensforge/database';
import { Platform, platformContext } from '@lensforge/edge';
import { answerScorerCall, readScorerCall } from '@lensforge/evaluation';
import { Handles, type JobContext } from '@lensforge/queue';
import { Controller } from '@nestjs/common';
import type { RunWorkerEnvironment } from '../environment.js';
import { ProgramCalls } from './program-calls.js';

/** Calls programs of users that score outputs. */
@Controller()
export class ScorerJobs {
  constructor(
    private readonly platform: Platform<RunWorkerEnvironment>,
    private readonly programs: ProgramCalls,
  ) {}

  /** A call that comes twice has the same webhook-id, and the first answer counts. */
  @Handles(jobs.callScorer)
  async call({ callId, outboxId }: CallScorerJob, { requestId, traceparent }: JobContext): Promise<void> {
    const ctx = { ...platformContext(this.platform), requestId, traceparent };
    const call = await readScorerCall(ctx, callId);
    if (call) await answerScorerCall(ctx, callId, await this.programs.call(ctx, call));
    await deleteFromOutbox(ctx.db, [outboxId]);
  }
}
