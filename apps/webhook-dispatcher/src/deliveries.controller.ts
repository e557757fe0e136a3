import type { DeliveryJob } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import { Platform } from '@lensforge/edge';
import type { JobContext } from '@lensforge/queue';
import { Handles } from '@lensforge/queue';
import { Controller } from '@nestjs/common';
import { Courier } from './courier.js';
import { jobCtx } from './job-ctx.js';

@Controller()
export class DeliveriesController {
  constructor(
    private readonly platform: Platform,
    private readonly courier: Courier,
  ) {}

  @Handles(jobs.deliverWebhook)
  deliver({ deliveryId }: DeliveryJob, job: JobContext): Promise<void> {
    return this.courier.deliver(jobCtx(this.platform, job), deliveryId, job.signal);
  }
}
