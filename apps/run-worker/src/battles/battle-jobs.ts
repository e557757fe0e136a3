import { advanceBattle } from '@lensforge/battles';
import { type AdvanceBattleJob, jobs } from '@lensforge/contracts';
import { deleteFromOutbox } from '@lensforge/database';
import { Platform, platformContext } from '@lensforge/edge';
import { Handles, type JobContext } from '@lensforge/queue';
import { Controller } from '@nestjs/common';
import type { RunWorkerEnvironment } from '../environment.js';

/** Continues battles whose runs have ended. */
@Controller()
export class BattleJobs {
  constructor(private readonly platform: Platform<RunWorkerEnvironment>) {}

  @Handles(jobs.advanceBattle)
  async advance({ battleId, outboxId }: AdvanceBattleJob, { requestId, traceparent }: JobContext): Promise<void> {
    const ctx = { ...platformContext(this.platform), requestId, traceparent };
    await advanceBattle(ctx, battleId);
    await deleteFromOutbox(ctx.db, [outboxId]);
  }
}
