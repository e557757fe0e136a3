import type { RunEvent } from '@lensforge/contracts';
import { type Context, platformActor } from '@lensforge/core';
import { openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { type LensRunOrder, readEvents, readRun } from '@lensforge/runs';
import { ChangeRecorder, aRun } from '@lensforge/runs/testing';
import { budgetGuard } from '../src/battles/budget-guard.js';
import type { RunOutcome } from '../src/engine/run-metrics.js';
import { Engine, type EngineParts } from '../src/engine/run.js';
import { ByokLeases } from '../src/byok-leases.js';
import { realTiming } from '../src/engine/timing.js';
import { offlineProvider } from '../src/providers/offline.js';
import type { Provider } from '../src/providers/provider.js';
import { providersByKey } from '../src/providers/providers.js';

export interface EngineSetup {
  /** The context of an account with a lens whose only parameter is its prompt. */
  ctx: Context;
  source: Awaited<ReturnType<typeof openTestDatabase>>['source'];
  lensId: string;
  engine(parts?: Partial<EngineParts> & { provider?: Provider }): Engine & { outcomes: RunOutcome[] };
  /** The changes that engines and use cases have recorded. */
  changes: ChangeRecorder;
  accept(prompt?: string, options?: Partial<LensRunOrder>): Promise<string>;
  run(runId: string): ReturnType<typeof readRun>;
  events(runId: string): Promise<RunEvent[]>;
  /** The types of the events; throws when their sequence numbers have a gap. */
  story(runId: string): Promise<string[]>;
  close(): Promise<void>;
}

/** A real database and engines on it, without a queue. */
export async function anEngineSetup(): Promise<EngineSetup> {
  const { ctx: anyone, source, close } = await openTestDatabase();
  const platformCtx = { ...anyone, actor: platformActor };
  const { id: accountId } = await anAccount(platformCtx);
  const ctx = actingAs(platformCtx, accountId);
  const { id: lensId } = await aLens(ctx, { templateBody: '[[Prompt]]' });
  const events = (runId: string) => readEvents(ctx, runId, 0);

  return {
    ctx,
    source,
    lensId,
    changes: new ChangeRecorder(source),
    engine: ({ provider = offlineProvider(), ...parts } = {}) => {
      const outcomes: RunOutcome[] = [];
      const engine = new Engine({
        ctx: platformCtx,
        providers: providersByKey([provider]),
        keys: new ByokLeases(platformCtx, undefined),
        startNodes: () => Promise.reject(new Error('this setup executes no nodes')),
        executeJudging: () => Promise.reject(new Error('this setup judges no battles')),
        requireBudget: budgetGuard(platformCtx),
        worker: 'spec',
        leaseMs: 12_000,
        heartbeatMs: 3000,
        timing: realTiming,
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        metrics: {
          ended: (outcome) => void outcomes.push(outcome),
          ignored: () => undefined,
          fenced: () => undefined,
        },
        ...parts,
      });
      return Object.assign(engine, { outcomes });
    },
    accept: async (prompt = 'Say hello', options = {}) =>
      (await aRun(ctx, { lensId, params: { Prompt: prompt }, ...options })).runId,
    run: (runId) => readRun(ctx, runId),
    events,
    story: async (runId) => {
      const all = await events(runId);
      const gap = all.find(({ sequence }, index) => sequence !== index + 1);
      if (gap) throw new Error(`event ${gap.sequence} of run ${runId} comes after a gap`);
      return all.map(({ eventType }) => eventType);
    },
    close,
  };
}

/** A provider with the answer of the spec. */
export function aProvider(stream: Provider['stream']): Provider {
  return { key: 'offline', stream };
}
