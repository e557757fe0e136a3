import type { Context } from '@lensforge/core';
import {
  type CallOutcome,
  type HeldBatch,
  collectBatches,
  endBatch,
  holdBatch,
  moveBatch,
  readCallsOfBatch,
  recordOutcomes,
  takeBatch,
} from '@lensforge/evaluation';
import type { ByokLeases } from '../byok-leases.js';
import type { EngineLog } from '../engine/worker-parts.js';
import { RunFailure } from '../engine/run-failure.js';
import { type BatchAccess, type BatchOrder, type BatchService, ProviderFault } from '../providers/provider.js';
import type { Providers } from '../providers/providers.js';

export interface BatchDispatcherParts {
  ctx: Context;
  providers: Providers;
  keys: ByokLeases;
  log: EngineLog;
  /** The time between two looks at a batch. */
  paceMs: number;
  /** How long a batch belongs to the worker that sends or reads it; longer than a call to a provider. */
  leaseMs: number;
}

/** Outcomes that are stored together. */
const outcomesAtATime = 100;

/**
 * Sends batches of requests, looks after them and collects their answers. Every worker does; a batch belongs to one at a time.
 * That a batch is sent is recorded before it is sent: after a loss it is looked for at the provider before it is sent again.
 */
export class BatchDispatcher {
  constructor(private readonly parts: BatchDispatcherParts) {}

  /** Does what is due for one batch; true when there may be more to do. */
  async round(): Promise<boolean> {
    const { ctx, providers, paceMs, leaseMs } = this.parts;
    const collected = await collectBatches(ctx, paceMs);
    const batch = await takeBatch(ctx, { providers: providers.platformKeys, leaseMs });
    if (!batch) return collected > 0;
    await this.attend(batch);
    return true;
  }

  private async attend(batch: HeldBatch): Promise<void> {
    const { ctx, paceMs, log } = this.parts;
    const { id, provider } = batch;
    try {
      const service = this.parts.providers.get(provider)?.batches;
      if (!service) throw new ProviderFault('broken', `${provider} has no batch service`);
      const access = (await this.parts.keys.openFor(batch)) ?? {};
      await this.moveOn(batch, service, access);
    } catch (reason) {
      const isKnown = reason instanceof ProviderFault || reason instanceof RunFailure;
      if (!isKnown) log.error({ err: reason, batchId: id }, 'a batch could not be looked after; it is tried again');
      if (isKnown && isFinal(reason)) await endBatch(ctx, batch, reason.message);
      else await moveBatch(ctx, batch, { inMs: paceMs });
    }
  }

  private async moveOn(batch: HeldBatch, service: BatchService, access: BatchAccess): Promise<void> {
    const { ctx, paceMs } = this.parts;
    const { status, providerId } = batch;
    switch (status) {
      case 'created':
        return this.send(batch, service, access);
      case 'sending':
        return this.findSent(batch, service, access);
      case 'submitted':
      case 'canceling': {
        const name = providerId ?? '';
        if (status === 'submitted' && (batch.isLate || !batch.isAwaited)) {
          await service.cancel(access, name).catch(ignoreRefusal);
          await moveBatch(ctx, batch, { status: 'canceling', inMs: Math.min(1000, paceMs) });
          return;
        }
        if ((await service.look(access, name)) === 'ended') return this.collect(batch, service, access);
        await moveBatch(ctx, batch, { inMs: batch.isLate ? Math.min(1000, paceMs) : paceMs });
        return;
      }
      case 'ended':
        return;
    }
  }

  private async send(batch: HeldBatch, service: BatchService, access: BatchAccess): Promise<void> {
    const { ctx, paceMs } = this.parts;
    if (!batch.isAwaited || batch.isLate) return endBatch(ctx, batch, 'nothing waits for it any more');
    const order = await this.readOrder(batch);
    if (!(await moveBatch(ctx, batch, { status: 'sending', sent: true, inMs: this.parts.leaseMs }))) return;
    try {
      const providerId = await service.submit(access, order);
      await moveBatch(ctx, batch, { status: 'submitted', providerId, inMs: paceMs });
    } catch (reason) {
      // The service has answered that it does not take the batch now.
      if (!(reason instanceof ProviderFault) || reason.kind !== 'limited') throw reason;
      await moveBatch(ctx, batch, { status: 'created', inMs: Math.max(paceMs, reason.retryAfterMs ?? 0) });
    }
  }

  /** After a loss, or an answer that did not arrive: the service may have the batch. */
  private async findSent(batch: HeldBatch, service: BatchService, access: BatchAccess): Promise<void> {
    const { ctx, paceMs } = this.parts;
    const found = await service.find(access, await this.readOrder(batch));
    if (typeof found === 'object') {
      await moveBatch(ctx, batch, { status: 'submitted', providerId: found.name });
      return;
    }
    const isLost = found === 'missing' && batch.isSentLongAgo;
    await moveBatch(ctx, batch, isLost ? { status: 'created' } : { inMs: paceMs });
  }

  private async collect(batch: HeldBatch, service: BatchService, access: BatchAccess): Promise<void> {
    const { ctx } = this.parts;
    let outcomes: CallOutcome[] = [];
    const store = async (): Promise<void> => {
      await recordOutcomes(ctx, batch.id, outcomes);
      outcomes = [];
      await holdBatch(ctx, batch, this.parts.leaseMs);
    };
    for await (const { customId: runId, ...outcome } of service.outcomes(access, batch.providerId ?? '')) {
      if (!isUuid.test(runId)) continue;
      outcomes.push({ runId, ...outcome });
      if (outcomes.length === outcomesAtATime) await store();
    }
    await store();
    await endBatch(ctx, batch, null);
  }

  private async readOrder({ id, model, createdAt, calls: size }: HeldBatch): Promise<BatchOrder> {
    const calls = await readCallsOfBatch(this.parts.ctx, id);
    const requests = calls.map(({ runId: customId, request: body }) => ({ customId, body }));
    return { id, model, createdAt, size, requests };
  }
}

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A batch that has ended meanwhile cannot be canceled; the next look finds it. */
function ignoreRefusal(reason: unknown): void {
  if (!(reason instanceof ProviderFault)) throw reason;
}

/** True when no later try can succeed. A key that this worker cannot open may be opened by another. */
const isFinal = (reason: ProviderFault | RunFailure): boolean =>
  reason instanceof ProviderFault ? reason.kind !== 'limited' && reason.kind !== 'unavailable' : !reason.retry;
