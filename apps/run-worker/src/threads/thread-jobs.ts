import { type AnswerMentionJob, type PostAnswerJob, jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { deleteFromOutbox } from '@lensforge/database';
import { Platform, platformContext } from '@lensforge/edge';
import { Handles, type JobContext } from '@lensforge/queue';
import { answerMention, postAnswer } from '@lensforge/threads';
import { Controller } from '@nestjs/common';
import type { RunWorkerEnvironment } from '../environment.js';
import { answerPrompt } from './answer-prompt.js';

/** Has AI lensers answer mentions in threads. */
@Controller()
export class ThreadJobs {
  constructor(private readonly platform: Platform<RunWorkerEnvironment>) {}

  @Handles(jobs.answerMention)
  async answer({ messageId, agentId, outboxId }: AnswerMentionJob, job: JobContext): Promise<void> {
    const ctx = this.createJobContext(job);
    const { LENSFORGE_RUN_TIMEOUT_MS: timeoutMs } = this.platform.environment;
    await answerMention(ctx, { messageId, agentId }, { timeoutMs, promptOf: answerPrompt });
    await deleteFromOutbox(ctx.db, [outboxId]);
  }

  @Handles(jobs.postAnswer)
  async post({ runId, outboxId }: PostAnswerJob, job: JobContext): Promise<void> {
    const ctx = this.createJobContext(job);
    await postAnswer(ctx, runId);
    await deleteFromOutbox(ctx.db, [outboxId]);
  }

  private createJobContext({ requestId, traceparent }: JobContext): Context {
    return { ...platformContext(this.platform), requestId, traceparent };
  }
}
