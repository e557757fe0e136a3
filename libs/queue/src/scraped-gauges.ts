import type { Registry } from 'prom-client';
import { gauge } from './metrics.js';
import { timedOut, withTimeout } from './with-timeout.js';

export interface ScrapedGauge<F> {
  name: string;
  help: string;
  labelNames: readonly string[];
  samples: (values: F) => readonly (readonly [labels: Record<string, string>, value: number])[];
}

const timeoutMs = 500;

/**
 * Registers gauges whose values are read at each scrape, once for all of them. Without an answer in time they have no
 * values, so that /metrics always answers and never shows old values.
 */
export function scrapedGauges<F>(registry: Registry, read: () => Promise<F>, gauges: readonly ScrapedGauge<F>[]): void {
  let reading: Promise<F | undefined> | undefined;

  const readOnce = (): Promise<F | undefined> => {
    reading ??= withTimeout(timeoutMs, read())
      .then((values) => (values === timedOut ? undefined : values))
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };

  for (const { samples, labelNames, ...config } of gauges) {
    gauge(registry, {
      ...config,
      labelNames: [...labelNames],
      async collect() {
        const values = await readOnce();
        this.reset();
        // A gauge without labels is 0 after a reset, so it must be removed.
        if (values === undefined && labelNames.length === 0) this.remove();
        if (values !== undefined) for (const [labels, value] of samples(values)) this.set(labels, value);
      },
    });
  }
}
