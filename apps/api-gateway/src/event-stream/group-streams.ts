import type { Context } from '@lensforge/core';
import { readFromReplica, withDbRetry } from '@lensforge/database';
import { type Platform, platformContext } from '@lensforge/edge';
import {
  type RunStream,
  advanceRunStream,
  countEndedRunsOfStream,
  firstPositionOfRunStream,
  readRunStream,
} from '@lensforge/runs';
import type { FastifyReply } from 'fastify';
import type { GatewayEnvironment } from '../environment.js';
import { GroupFeed } from './group-feed.js';
import { GroupReader } from './group-reader.js';
import type { OpenConnections } from './open-connections.js';
import type { StreamLimit } from './stream-slots.js';
import { groupResumePoint } from './frame.js';

/** The open event streams of batches and tags at this gateway, with one feed for each stored stream. */
export class GroupStreams {
  private readonly feeds = new Map<string, GroupFeed>();

  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly connections: OpenConnections,
  ) {}

  async open(
    ctx: Context,
    stream: RunStream,
    lastEventId: string | string[] | undefined,
    reply: FastifyReply,
  ): Promise<void> {
    await reply.request.counted;
    const progress = (await withDbRetry(() => this.advance(stream))) ?? { position: 0, ended: false };
    const resumed = groupResumePoint(stream.id, lastEventId);
    if (!stream.endless && progress.ended && resumed !== undefined && resumed > progress.position) {
      void reply.code(204).send();
      return;
    }
    const after = resumed ?? (await withDbRetry(() => firstPositionOfRunStream(ctx, stream)));
    const sent = Math.min(after, progress.position);
    const slot = await this.connections.admit(ctx, reply, [this.getStreamLimit(ctx.actor.accountId)]);
    if (!slot) return;
    const reader = this.connections.begin(
      slot,
      reply,
      (response) => new GroupReader(response, { actor: ctx.actor, stream, sent, now: () => performance.now() }),
    );
    const feed = this.feeds.get(stream.id) ?? this.newFeed(stream);
    this.feeds.set(stream.id, feed);
    reply.raw.once('close', () => {
      feed.readers.delete(reader);
      if (feed.readers.size > 0) return;
      feed.stop();
      if (this.feeds.get(stream.id) === feed) this.feeds.delete(stream.id);
    });
    feed.add(reader, progress);
  }

  close(): void {
    for (const feed of this.feeds.values()) feed.stop();
  }

  private getStreamLimit(accountId: string): StreamLimit {
    const limit = this.platform.environment.LENSFORGE_GROUP_STREAMS_PER_ACCOUNT;
    const streams = 'event streams of tags and batches';
    return { name: `groups:${accountId}`, limit, subject: 'This account', streams };
  }

  private newFeed(stream: RunStream): GroupFeed {
    const ctx = platformContext(this.platform);
    return new GroupFeed(stream, {
      advance: () => this.advance(stream),
      read: (after, limit) => readFromReplica(ctx, (ctx) => readRunStream(ctx, stream.id, { after, limit })),
      endings: () => withDbRetry(() => countEndedRunsOfStream(ctx, stream.id)),
      now: this.platform.now,
      onError: (reason) =>
        this.platform.logger.warn({ err: reason, stream: stream.id }, 'the events of a batch or tag could not be read'),
    });
  }

  private advance(stream: RunStream) {
    return advanceRunStream(platformContext(this.platform), stream.id);
  }
}
