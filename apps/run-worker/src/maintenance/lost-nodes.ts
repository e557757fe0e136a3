import { jobs } from '@lensforge/contracts';
import { isReady, queueDepths } from '@lensforge/queue';
import { lostNodes, overdueNodes, requeueNodes } from '@lensforge/runs';
import type { NodeEngine } from '../engine/workflow/node-engine.js';
import type { LostJobsParts } from './lost-jobs.js';

const most = 500;
/** A job may take this long from the outbox to Redis. */
const lateMs = 3000;
/** While the queue has jobs, a late node most likely waits in it. */
const lateInQueueMs = 60_000;
/** A waiting node that is still waiting after a new job gets another one after this time. */
const againMs = 10_000;

export interface LostNodesParts extends Pick<LostJobsParts, 'ctx' | 'redis' | 'prefix'> {
  nodes: Pick<NodeEngine, 'lost'>;
}

export interface FoundNodes {
  /** The number of nodes whose worker was lost. */
  lost: number;
  /** The number of nodes whose job was lost. */
  requeued: number;
}

/** Finds nodes whose worker or job is lost, and settles or requeues them. */
export class LostNodes {
  constructor(private readonly parts: LostNodesParts) {}

  async find(): Promise<FoundNodes> {
    const { ctx, nodes } = this.parts;
    const lost = await lostNodes(ctx, most);
    const settled = await Promise.allSettled(
      lost.map(({ runId, nodeKey, attempt }) => nodes.lost(runId, nodeKey, attempt)),
    );
    const requeued = await this.requeue();
    // One run that cannot be settled is reported, but does not stop the others.
    for (const each of settled) if (each.status === 'rejected') throw each.reason;
    return { lost: settled.filter((each) => each.status === 'fulfilled' && each.value).length, requeued };
  }

  private async requeue(): Promise<number> {
    const { ctx, redis, prefix } = this.parts;
    const found = await overdueNodes(ctx, { lateMs, limit: most });
    if (found.queued.length + found.waiting.length === 0 || !isReady(redis)) return 0;
    const [depth] = await queueDepths({ redis, prefix, queues: [jobs.executeNode.queue] });
    const inQueue = depth === undefined ? 0 : depth.waiting + depth.delayed;
    const after = inQueue > 0 ? lateInQueueMs : lateMs;
    return (
      (await requeueNodes(ctx, found.queued, { lateMs: after, againMs })) +
      (await requeueNodes(ctx, found.waiting, { lateMs, againMs }))
    );
  }
}
