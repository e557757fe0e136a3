import { recordAgentRunEnd } from '@lensforge/agents';
import { type AgentRunEndedJob, jobs } from '@lensforge/contracts';
import { deleteFromOutbox } from '@lensforge/database';
import { Platform, platformContext } from '@lensforge/edge';
import { Handles, type JobContext } from '@lensforge/queue';
import { Controller } from '@nestjs/common';
import type { RunWorkerEnvironment } from '../environment.js';

/** Records the ends of runs of AI lensers in their logs. */
@Controller()
export class AgentJobs {
  constructor(private readonly platform: Platform<RunWorkerEnvironment>) {}

  @Handles(jobs.recordAgentRunEnd)
  async recordEnd({ runId, outboxId }: AgentRunEndedJob, { requestId, traceparent }: JobContext): Promise<void> {
    const ctx = { ...platformContext(this.platform), requestId, traceparent };
    await recordAgentRunEnd(ctx, runId);
    await deleteFromOutbox(ctx.db, [outboxId]);
  }
}
