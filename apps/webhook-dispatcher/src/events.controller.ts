import type { PlatformEventJob } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { batchCalls, newId, platformActor } from '@lensforge/core';
import { Platform } from '@lensforge/edge';
import type { JobContext } from '@lensforge/queue';
import { Handles } from '@lensforge/queue';
import type { PublishedEvent } from '@lensforge/webhooks';
import { fanOutEvents } from '@lensforge/webhooks';
import { Controller } from '@nestjs/common';
import { Dispatch } from './dispatch.js';
import { WebhookMetrics } from './webhook-metrics.js';

@Controller()
export class EventsController {
  private readonly fanOut: (announced: PublishedEvent) => Promise<number>;

  constructor(
    private readonly platform: Platform,
    private readonly dispatch: Dispatch,
    private readonly measures: WebhookMetrics,
  ) {
    this.fanOut = batchCalls((announced) => this.fanOutAll(announced), { most: 100, atOnce: 2 });
  }

  @Handles(jobs.fanOutPlatformEvent)
  async tell(event: PlatformEventJob, { requestId, traceparent }: JobContext): Promise<void> {
    const made = await this.fanOut({ event, requestId, traceparent });
    this.measures.made(event.type, made);
    if (made > 0) this.dispatch.ring();
  }

  private fanOutAll(announced: PublishedEvent[]): Promise<number[]> {
    const { database, now } = this.platform;
    const ctx: Context = { actor: platformActor, db: database.manager, now, requestId: newId() };
    return fanOutEvents(ctx, announced);
  }
}
