import type { ServerResponse } from 'node:http';
import { type Context, noAccountId } from '@lensforge/core';
import { type Bearer, type Platform, getRateLimitSubject } from '@lensforge/edge';
import type { FastifyReply } from 'fastify';
import { Gauge } from 'prom-client';
import type { GatewayEnvironment } from '../environment.js';
import { retryAfter } from './frame.js';
import type { SseConnection } from './sse-connection.js';
import { type StreamLimit, type StreamSlot, StreamSlots } from './stream-slots.js';

const tickMs = 1000;
const keepAliveMs = 15_000;
const stallMs = 30_000;
const reauthoriseMs = 15_000;
const defaultRetryMs = 2000;

/** All open event streams at this gateway: limits per account or network, keep-alives, and checks of their credentials. */
export class OpenConnections {
  private readonly connections = new Set<SseConnection>();
  private readonly slots: StreamSlots;
  private readonly timer: NodeJS.Timeout;
  private reauthorisedAt = 0;
  private closed = false;

  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly bearer: Bearer,
  ) {
    this.timer = setInterval(() => this.tick(), tickMs);
    const { redis, logger, environment } = platform;
    const { REDIS_PREFIX: prefix, LENSFORGE_REPLICAS_API_GATEWAY: replicas } = environment;
    this.slots = new StreamSlots({ redis, prefix, replicas, logger });
    const { connections } = this;
    new Gauge({
      name: 'lensforge_event_stream_readers',
      help: 'Event streams that are open at this gateway',
      registers: [platform.metrics.registry],
      collect() {
        this.set(connections.size);
      },
    });
  }

  /**
   * Takes the slot of a stream; refuses it when the account, read token or network has too many. Undefined when the client
   * has gone meanwhile.
   */
  async admit(ctx: Context, reply: FastifyReply, more: readonly StreamLimit[] = []): Promise<StreamSlot | undefined> {
    const slot = await this.slots.take([...more, this.getStreamLimit(ctx, reply)]);
    if (!reply.raw.destroyed) return slot;
    slot.release();
    reply.hijack();
    return undefined;
  }

  /** Sends the response headers of an admitted stream. */
  begin<C extends SseConnection>(
    slot: StreamSlot,
    reply: FastifyReply,
    make: (response: ServerResponse) => C,
    { isResumable = true } = {},
  ): C {
    const response = startStream(reply, isResumable);
    const connection = make(response);
    this.connections.add(connection);
    response.once('close', () => {
      this.connections.delete(connection);
      slot.release();
    });
    // A stream that arrives while the process drains goes on elsewhere, too; a client would not retry after a refusal.
    if (this.closed) connection.handOver(this.retryMs());
    return connection;
  }

  /** Ends all streams with random retry delays, so that their clients do not reconnect at once. */
  close(): void {
    clearInterval(this.timer);
    this.slots.close();
    this.closed = true;
    for (const connection of this.connections) connection.handOver(this.retryMs());
  }

  /** Few streams go on within a second; many are spread over more time. */
  private retryMs(): number {
    const spreadMs = Math.min(2400, Math.max(500, 2 * this.connections.size));
    return Math.round(100 + Math.random() * spreadMs);
  }

  private tick(): void {
    for (const connection of this.connections) connection.tick({ keepAliveMs, stallMs });
    const now = performance.now();
    if (now - this.reauthorisedAt < reauthoriseMs) return;
    this.reauthorisedAt = now;
    void this.reauthorise();
  }

  private async reauthorise(): Promise<void> {
    const byCredential = new Map<string, SseConnection[]>();
    for (const connection of this.connections) {
      const { id, until } = connection.actor.credential;
      const name = `${id} ${until}`;
      byCredential.set(name, [...(byCredential.get(name) ?? []), connection]);
    }
    await Promise.all(
      [...byCredential.values()].map(async (connections) => {
        const [first] = connections;
        const valid = first ? await this.bearer.reauthorise(first.actor).catch(() => true) : true;
        if (!valid) for (const connection of connections) connection.endWithRetry(defaultRetryMs);
      }),
    );
  }

  /** Read tokens are counted separately, so that they cannot use up the limit of the account. */
  private getStreamLimit({ actor }: Context, { request }: FastifyReply): StreamLimit {
    const { LENSFORGE_STREAMS_PER_ACCOUNT: ofAccount, LENSFORGE_STREAMS_PER_READ_TOKEN: ofReadToken } =
      this.platform.environment;
    const name = getRateLimitSubject(actor, request);
    const streams = 'event streams';
    if (actor.credential.readToken !== undefined)
      return { name, limit: ofReadToken, subject: 'This read token', streams };
    // Callers without an account are counted by their network, so that one of them cannot lock out the others.
    const isNetwork = actor.accountId === noAccountId && actor.userId === null;
    return { name, limit: ofAccount, subject: isNetwork ? 'This network' : 'This account', streams };
  }
}

/** Takes the response over from Fastify and sends its headers at once. */
function startStream(reply: FastifyReply, isResumable: boolean): ServerResponse {
  const headers = reply.getHeaders();
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    ...(headers as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  if (isResumable) response.write(retryAfter(defaultRetryMs));
  else response.flushHeaders();
  response.socket?.setNoDelay(true);
  return response;
}
