import type { PlatformEventJob } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import { Platform } from '@lensforge/edge';
import type { JobContext } from '@lensforge/queue';
import { Handles } from '@lensforge/queue';
import { fanOut } from '@lensforge/webhooks';
import { Controller } from '@nestjs/common';
import { HandOver } from './hand-over.js';
import { jobCtx } from './job-ctx.js';
import { Measures } from './measures.js';

@Controller()
export class EventsController {
  constructor(
    private readonly platform: Platform,
    private readonly handOver: HandOver,
    private readonly measures: Measures,
  ) {}

  @Handles(jobs.fanOutPlatformEvent)
  async fanOut(event: PlatformEventJob, job: JobContext): Promise<void> {
    const made = await fanOut(jobCtx(this.platform, job), event);
    this.measures.made(event.type, made.length);
    await this.handOver.jobs(made);
  }
}
