import { type Platform, platformContext, startPeriodicTask } from '@lensforge/edge';
import { advanceEvaluationRules, readEvaluationLag } from '@lensforge/evaluation';
import { Counter, Gauge } from 'prom-client';
import type { RunWorkerEnvironment } from '../environment.js';

const everyMs = 2000;

/** Evaluates runs by the rules of their accounts. Every worker looks; PostgreSQL lets one of them make a pass of a rule. */
export function startEvaluatingRuns(platform: Platform<RunWorkerEnvironment>): void {
  const registers = [platform.metrics.registry];
  const lag = new Gauge({
    name: 'lensforge_evaluation_lag_seconds',
    help: 'Seconds since the rule of evaluation that waits longest was due',
    registers,
  });
  const ended = new Counter({
    name: 'lensforge_evaluations_total',
    help: 'Runs that rules have evaluated or skipped',
    labelNames: ['outcome'],
    registers,
  });
  const firstAfterMs = everyMs * Math.random();
  startPeriodicTask(platform, { name: 'evaluating runs', everyMs, firstAfterMs }, async () => {
    const ctx = platformContext(platform);
    const timeoutMs = platform.environment.LENSFORGE_RUN_TIMEOUT_MS;
    lag.set(await readEvaluationLag(ctx));
    const { evaluated, skipped } = await advanceEvaluationRules(ctx, {
      timeoutMs,
      goesOn: () => !platform.drain.draining,
    });
    ended.inc({ outcome: 'evaluated' }, evaluated);
    ended.inc({ outcome: 'skipped' }, skipped);
  });
}
