import type { Registry } from 'prom-client';
import { gauge } from './metrics.js';
import { timedOut, withTimeout } from './with-timeout.js';

export interface ScrapedGauge<F> {
  name: string;
  help: string;
  labelNames: readonly string[];
  samples: (figures: F) => readonly (readonly [labels: Record<string, string>, value: number])[];
}

const limitMs = 500;

/**
 * Gauges whose figures are looked up at the moment of a scrape, once for all of them. Without an answer in time they
 * are left out: an old figure would be a lie, and /metrics must answer whatever is away.
 */
export function scrapedGauges<F>(registry: Registry, look: () => Promise<F>, gauges: readonly ScrapedGauge<F>[]): void {
  let looking: Promise<F | undefined> | undefined;

  const figures = (): Promise<F | undefined> => {
    looking ??= withTimeout(limitMs, look())
      .then((found) => (found === timedOut ? undefined : found))
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };

  for (const { samples, labelNames, ...about } of gauges) {
    gauge(registry, {
      ...about,
      labelNames: [...labelNames],
      async collect() {
        const found = await figures();
        this.reset();
        // A gauge without labels is 0 after a reset, which is a figure too.
        if (found === undefined && labelNames.length === 0) this.remove();
        if (found !== undefined) for (const [labels, value] of samples(found)) this.set(labels, value);
      },
    });
  }
}
