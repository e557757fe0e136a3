import type { ServerResponse } from 'node:http';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import type { Bearer, Platform } from '@lensforge/edge';
import type { FastifyReply } from 'fastify';
import { Gauge } from 'prom-client';
import type { GatewayEnvironment } from '../environment.js';
import { retryAfter } from './frame.js';
import type { SseConnection } from './sse-connection.js';

const tickMs = 1000;
const keepAliveMs = 15_000;
const stallMs = 30_000;
const reauthoriseMs = 15_000;
const usualRetryMs = 2000;

/** All lines that are open at this gateway, whatever goes over them: how many, how long, for whom. */
export class OpenConnections {
  private readonly lines = new Set<SseConnection>();
  private readonly perReader = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;
  private reauthorised = 0;

  constructor(
    private readonly platform: Platform<GatewayEnvironment>,
    private readonly bearer: Bearer,
  ) {
    this.timer = setInterval(() => this.tick(), tickMs);
    const { lines } = this;
    new Gauge({
      name: 'lensforge_event_stream_readers',
      help: 'Event streams that are open at this gateway',
      registers: [platform.metrics.registry],
      collect() {
        this.set(lines.size);
      },
    });
  }

  /** Answers with the head of a stream, unless the account or the read token has too many. */
  begin<L extends SseConnection>(ctx: Context, reply: FastifyReply, make: (response: ServerResponse) => L): L {
    const reader = readerOf(ctx);
    this.admit(reader);
    const response = begin(reply);
    const line = make(response);
    this.lines.add(line);
    response.once('close', () => {
      this.lines.delete(line);
      this.release(reader);
    });
    return line;
  }

  /** Sends everybody elsewhere, not all at the same moment. */
  close(): void {
    clearInterval(this.timer);
    for (const line of this.lines) line.leave(Math.round(500 + Math.random() * 2000));
  }

  private tick(): void {
    for (const line of this.lines) line.tick({ keepAliveMs, stallMs });
    const now = performance.now();
    if (now - this.reauthorised < reauthoriseMs) return;
    this.reauthorised = now;
    void this.reauthorise();
  }

  private async reauthorise(): Promise<void> {
    const byCredential = new Map<string, SseConnection[]>();
    for (const line of this.lines) {
      const { id, until } = line.actor.credential;
      const name = `${id} ${until}`;
      byCredential.set(name, [...(byCredential.get(name) ?? []), line]);
    }
    await Promise.all(
      [...byCredential.values()].map(async (lines) => {
        const [first] = lines;
        const valid = first ? await this.bearer.reauthorise(first.actor).catch(() => true) : true;
        if (!valid) for (const line of lines) line.leave(usualRetryMs);
      }),
    );
  }

  private admit({ name, isLink }: StreamReader): void {
    const { LENSFORGE_STREAMS_PER_ACCOUNT: ofAccount, LENSFORGE_STREAMS_PER_READ_TOKEN: ofLink } =
      this.platform.environment;
    const limit = isLink ? ofLink : ofAccount;
    const open = this.perReader.get(name) ?? 0;
    if (open >= limit) {
      const who = isLink ? 'This read token' : 'This account';
      const message = `${who} has ${limit} event streams open here, and may have no more; close one and try again`;
      throw new DomainError('RATE_LIMITED', message, { limit, retryAfter: 1 });
    }
    this.perReader.set(name, open + 1);
  }

  private release({ name }: StreamReader): void {
    const open = (this.perReader.get(name) ?? 1) - 1;
    if (open > 0) this.perReader.set(name, open);
    else this.perReader.delete(name);
  }
}

interface StreamReader {
  name: string;
  /** Whether it holds a read token; those are counted by themselves, so that they cannot lock the account out. */
  isLink: boolean;
}

const readerOf = ({ actor: { accountId, credential } }: Context): StreamReader =>
  credential.readToken === undefined
    ? { name: accountId, isLink: false }
    : { name: `read token ${credential.readToken}`, isLink: true };

/** From here on the answer is written by hand: headers at once, frames as they come. */
function begin(reply: FastifyReply): ServerResponse {
  const headers = reply.getHeaders();
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, {
    ...(headers as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  response.write(retryAfter(usualRetryMs));
  response.socket?.setNoDelay(true);
  return response;
}
