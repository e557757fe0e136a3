import { setTimeout as pause } from 'node:timers/promises';
import { type LocalRunClaimed, type LocalRunFinished, type LocalRunProgress, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, Platform, Serves } from '@lensforge/edge';
import { type ClaimedLocalRun, claimLocalRun, finishLocalRun, reportLocalRun } from '@lensforge/runs';
import { Controller, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { GatewayEnvironment } from './environment.js';

const pollMs = 500;

@Controller()
export class LocalRunsController {
  private readonly leaseMs: number;
  private readonly stopping = new AbortController();

  constructor(platform: Platform<GatewayEnvironment>) {
    this.leaseMs = platform.environment.LENSFORGE_LOCAL_LEASE_MS;
    platform.drain.onDrain('local runners that wait', () => this.stopping.abort());
  }

  @Serves(endpoints.claimLocalRun)
  async claim(
    @Caller() ctx: Context,
    @Input() { body }: InputOf<typeof endpoints.claimLocalRun>,
    @Req() request: FastifyRequest,
  ): Promise<LocalRunClaimed> {
    const claimed = await this.wait(ctx, body, request);
    if (!claimed) return { run: null };
    const { token, ...run } = claimed;
    return { run: { ...run, lease: { token, ms: this.leaseMs } } };
  }

  @Serves(endpoints.reportLocalRun)
  async report(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.reportLocalRun>,
  ): Promise<LocalRunProgress> {
    const { leaseMs } = this;
    const progress = await withDbRetry(() => reportLocalRun(ctx, { ...params, ...body, leaseMs }));
    return { ...progress, leaseMs };
  }

  @Serves(endpoints.finishLocalRun)
  finish(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.finishLocalRun>,
  ): Promise<LocalRunFinished> {
    return withDbRetry(() => finishLocalRun(ctx, { ...params, ...body }));
  }

  /** Waits for a run; claims none after the client has disconnected or while this process stops. */
  private async wait(
    ctx: Context,
    { runner, waitSeconds }: InputOf<typeof endpoints.claimLocalRun>['body'],
    { raw }: FastifyRequest,
  ): Promise<ClaimedLocalRun | undefined> {
    const { leaseMs } = this;
    const { signal } = this.stopping;
    for (const until = performance.now() + waitSeconds * 1000; !raw.socket.destroyed && !signal.aborted;) {
      const claimed = await withDbRetry(() => claimLocalRun(ctx, { runner, leaseMs }));
      const leftMs = until - performance.now();
      if (claimed || leftMs <= 0) return claimed;
      await pause(Math.min(pollMs, leftMs), undefined, { signal }).catch(() => undefined);
    }
    return undefined;
  }
}
