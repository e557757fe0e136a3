import { type PlatformEventJob, jobs } from '@lensforge/contracts';
import { batchCalls } from '@lensforge/core';
import { Platform, platformContext } from '@lensforge/edge';
import { Handles, type JobContext } from '@lensforge/queue';
import { type PublishedEvent, fanOutEvents } from '@lensforge/webhooks';
import { Controller } from '@nestjs/common';
import { Dispatch } from './dispatch.js';
import { WebhookMetrics } from './webhook-metrics.js';

@Controller()
export class EventsController {
  private readonly fanOut: (announced: PublishedEvent) => Promise<number>;

  constructor(
    platform: Platform,
    private readonly dispatch: Dispatch,
    private readonly metrics: WebhookMetrics,
  ) {
    this.fanOut = batchCalls((announced) => fanOutEvents(platformContext(platform), announced), {
      maxSize: 100,
      concurrency: 2,
    });
  }

  @Handles(jobs.fanOutPlatformEvent)
  async fanOutEvent(event: PlatformEventJob, { requestId, traceparent }: JobContext): Promise<void> {
    const deliveries = await this.fanOut({ event, requestId, traceparent });
    this.metrics.made(event.type, deliveries);
    if (deliveries > 0) this.dispatch.wakeUp();
  }
}
