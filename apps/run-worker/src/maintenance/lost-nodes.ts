import { jobs } from '@lensforge/contracts';
import { isReady, queueDepths } from '@lensforge/queue';
import { overdueNodes, lostNodes, requeueNodes } from '@lensforge/runs';
import type { NodeEngine } from '../engine/workflow/node-engine.js';
import type { LostJobsParts } from './lost-jobs.js';

const most = 500;
/** The way of a job from the outbox to Redis may take this long. */
const lateMs = 3000;
/** While the queue has jobs, a node that is late most likely waits its turn. */
const lateInQueueMs = 60_000;
/** A waiting node that is woken in vain is woken again after this time. */
const againMs = 10_000;

export interface LostNodesParts extends Pick<LostJobsParts, 'ctx' | 'redis' | 'prefix'> {
  nodes: Pick<NodeEngine, 'lost'>;
}

export interface FoundNodes {
  /** Their workers were lost. */
  lost: number;
  /** Their jobs were. */
  posted: number;
}

/** Finds nodes that nobody goes on with: their worker is gone, or their job. */
export class LostNodes {
  constructor(private readonly parts: LostNodesParts) {}

  async find(): Promise<FoundNodes> {
    const { ctx, nodes } = this.parts;
    const lost = await lostNodes(ctx, most);
    const settled = await Promise.allSettled(
      lost.map(({ runId, nodeKey, attempt }) => nodes.lost(runId, nodeKey, attempt)),
    );
    const posted = await this.postAgain();
    // A run that cannot be settled is spoken of; it keeps nobody else from going on.
    for (const each of settled) if (each.status === 'rejected') throw each.reason;
    return { lost: settled.filter((each) => each.status === 'fulfilled' && each.value).length, posted };
  }

  private async postAgain(): Promise<number> {
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
