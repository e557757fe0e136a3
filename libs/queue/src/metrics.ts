import type { GaugeConfiguration, HistogramConfiguration, Registry } from 'prom-client';
import { Gauge, Histogram } from 'prom-client';

/** A metric belongs to its registry once, however many parts of a process count with it. */
const once = <M>(registry: Registry, name: string, make: () => M): M =>
  (registry.getSingleMetric(name) as M | undefined) ?? make();

export const gauge = <L extends string>(registry: Registry, config: GaugeConfiguration<L>): Gauge<L> =>
  once(registry, config.name, () => new Gauge({ ...config, registers: [registry] }));

export const histogram = <L extends string>(registry: Registry, config: HistogramConfiguration<L>): Histogram<L> =>
  once(registry, config.name, () => new Histogram({ ...config, registers: [registry] }));
