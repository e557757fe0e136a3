import { Gauge, type GaugeConfiguration, Histogram, type HistogramConfiguration, type Registry } from 'prom-client';

/** Returns the registered metric of this name, or makes it. */
const existingOr = <M>(registry: Registry, name: string, make: () => M): M =>
  (registry.getSingleMetric(name) as M | undefined) ?? make();

export const gauge = <L extends string>(registry: Registry, config: GaugeConfiguration<L>): Gauge<L> =>
  existingOr(registry, config.name, () => new Gauge({ ...config, registers: [registry] }));

export const histogram = <L extends string>(registry: Registry, config: HistogramConfiguration<L>): Histogram<L> =>
  existingOr(registry, config.name, () => new Histogram({ ...config, registers: [registry] }));
