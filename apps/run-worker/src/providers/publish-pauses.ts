import { type Platform, startPeriodicTask } from '@lensforge/edge';
import { type WorkerPause, isReady, publishPauses } from '@lensforge/queue';
import type { RunWorkerEnvironment } from '../environment.js';
import { type Providers, partsOfName } from './providers.js';

const everyMs = 2000;

/** Publishes the cooldowns and refused keys of this worker for operators. While it has none, it sends nothing. */
export function startPublishingPauses(
  { redis, environment, logger, drain }: Platform<RunWorkerEnvironment>,
  providers: Providers,
  worker: string,
): void {
  const where = { redis, prefix: environment.queuePrefix, worker };
  let published = 0;
  startPeriodicTask(
    { logger, drain },
    { name: 'publishing pauses of providers', everyMs, until: 'exit', lastRound: true },
    async ({ aborted }) => {
      const pauses = aborted ? [] : listPauses(providers);
      if ((pauses.length === 0 && published === 0) || !isReady(redis)) return;
      await publishPauses({ ...where, pauses });
      published = pauses.length;
    },
  );
}

type Found = Pick<WorkerPause, 'reason' | 'failures' | 'since' | 'until' | 'waitingCalls'>;

/** The pauses by provider and model. All BYOK keys of a provider have one pause, which names no model. */
export function listPauses({
  cooldowns,
  limiter,
  now,
}: Pick<Providers, 'cooldowns' | 'limiter' | 'now'>): WorkerPause[] {
  const clockOffset = Date.now() - now();
  const pauses = new Map<string, WorkerPause & { accounts: Set<string> }>();
  const add = (name: string, found: Found): void => {
    const { account, provider, byok, model } = partsOfName(name);
    const named = { provider, byok, model: byok ? null : model };
    const known = pauses.get(JSON.stringify(named));
    const accounts = (known?.accounts ?? new Set()).add(account);
    const { reason, failures, since, until, waitingCalls } = found;
    pauses.set(JSON.stringify(named), {
      ...named,
      accounts,
      keys: accounts.size,
      reason,
      failures: Math.max(failures, known?.failures ?? 0),
      since: Math.min(since + clockOffset, known?.since ?? Infinity),
      until: Math.max(until + clockOffset, known?.until ?? 0),
      waitingCalls: waitingCalls + (known?.waitingCalls ?? 0),
    });
  };
  for (const [name, cooldown] of cooldowns.active()) add(name, { ...cooldown, waitingCalls: 0 });
  for (const [name, { refusals, waiting, since, until }] of limiter.blocked()) {
    add(name, { reason: 'limited', failures: refusals, since, until, waitingCalls: waiting });
  }
  return [...pauses.values()].map(({ accounts: _, ...pause }) => pause);
}
