import { type Platform, platformContext, startPeriodicTask } from '@lensforge/edge';
import { advanceEvaluationRules } from '@lensforge/evaluation';
import type { RunWorkerEnvironment } from '../environment.js';

const everyMs = 2000;

/** Evaluates runs by the rules of their accounts. Every worker looks; PostgreSQL lets one of them make a pass of a rule. */
export function startEvaluatingRuns(platform: Platform<RunWorkerEnvironment>): void {
  const firstAfterMs = everyMs * Math.random();
  startPeriodicTask(platform, { name: 'evaluating runs', everyMs, firstAfterMs }, async () => {
    const timeoutMs = platform.environment.LENSFORGE_RUN_TIMEOUT_MS;
    await advanceEvaluationRules(platformContext(platform), { timeoutMs, goesOn: () => !platform.drain.draining });
  });
}
