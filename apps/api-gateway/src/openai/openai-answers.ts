import { type Context, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { HttpFault, Platform, RateLimits, enforceRateLimit, restFault } from '@lensforge/edge';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { GatewayEnvironment } from '../environment.js';
import { LogStreams } from '../event-stream/log-streams.js';
import { OpenConnections } from '../event-stream/open-connections.js';
import { LensUses } from '../lens-uses.js';
import type { AnswerResult } from './answer-result.js';
import { DataStream } from './data-stream.js';
import { type FollowOptions, followAnswer } from './follow-answer.js';
import { type AnswerOrder, type StartedAnswer, startAnswer } from './start-answer.js';

/** The longest wait for an answer as a whole. */
const maxWaitMs = 590_000;

/** A request that is being answered. */
export interface OpenRequest {
  /** Aborted when the program has gone. */
  signal: AbortSignal;
  stream(): DataStream;
}

const gone = new Error('the program has gone');

/** Starts runs for requests in the form of OpenAI, and waits for their answers. */
@Injectable()
export class OpenAiAnswers {
  readonly timeoutMs: number;

  constructor(
    platform: Platform<GatewayEnvironment>,
    private readonly limits: RateLimits,
    private readonly streams: LogStreams,
    private readonly connections: OpenConnections,
    private readonly uses: LensUses,
  ) {
    this.timeoutMs = platform.environment.LENSFORGE_RUN_TIMEOUT_MS;
  }

  /** Answers a request, which takes a place among the open streams of its account until its connection has ended. */
  async answer(
    ctx: Context,
    reply: FastifyReply,
    work: (open: OpenRequest) => Promise<object | undefined>,
  ): Promise<void> {
    const slot = await this.connections.admit(ctx, reply);
    if (!slot) return;
    const controller = new AbortController();
    reply.raw.once('close', () => {
      controller.abort(gone);
      slot.release();
    });
    const stream = (): DataStream =>
      this.connections.begin(slot, reply, (response) => new DataStream(response, ctx.actor, () => performance.now()), {
        isResumable: false,
      });
    try {
      const body = await work({ signal: controller.signal, stream });
      if (body) await reply.send(body);
    } catch (reason) {
      if (reason !== gone) throw reason;
      reply.hijack();
    }
  }

  /** Starts as many runs of the same order as answers are wanted, all or none. */
  async start(ctx: Context, reply: FastifyReply, order: AnswerOrder, answers = 1): Promise<StartedAnswer[]> {
    const parts = {
      timeoutMs: this.timeoutMs,
      countWorkflow: async () => enforceRateLimit(reply, await this.limits.take('run', ctx.actor.accountId)),
      onLens: (lensId: string) => this.uses.add(lensId),
    };
    if (answers === 1) return [await startAnswer(ctx, order, parts)];
    const batchId = newId();
    return inTransaction(ctx, async (ctx) => {
      const started: StartedAnswer[] = [];
      for (let index = 0; index < answers; index += 1) {
        const { idempotencyKey: key } = order;
        const idempotencyKey = key === undefined || index === 0 ? key : `${key}#${index + 1}`;
        started.push(await startAnswer(ctx, { ...order, idempotencyKey, batchId }, parts));
      }
      return started;
    });
  }

  follow(ctx: Context, started: StartedAnswer, options: FollowOptions): Promise<AnswerResult> {
    return followAnswer(ctx, this.streams, started, options);
  }

  /** Waits for an answer as a whole. */
  wait(ctx: Context, started: StartedAnswer, signal: AbortSignal): Promise<AnswerResult> {
    return this.follow(ctx, started, { signal, maxMs: maxWaitMs });
  }

  /** The fault of an answer; undefined when the program has gone. */
  faultOf(reason: unknown): HttpFault | undefined {
    return reason === gone ? undefined : restFault(reason);
  }
}
