import { createLogger } from '../observability/logging.js';
import { Drain } from './drain.js';
import { type Source, processSettings } from './environment.js';
import type { PlatformOverrides } from './platform.js';
import { releaseMemorySoon } from './release-memory.js';
import { runProcess } from './run-process.js';
import type { Service } from './serve.js';

type Start = (overrides: PlatformOverrides) => Promise<Service>;

export interface ServicesOfProcess {
  name: string;
  /** The service that has the ports of the settings. It is ready only when all of them are. */
  first: Start;
  /** Other services by the distance of their ports from those of the settings. */
  others: Readonly<Record<number, Start>>;
}

/** Runs several services as this process, until a signal stops them together. */
export const serveTogether = (services: ServicesOfProcess): Promise<void> =>
  runProcess(services.name, async () => releaseMemorySoon(await startTogether(services)));

/** Starts several services in this process, without signal handlers. The first one stops all. */
export async function startTogether(
  { name, first, others }: ServicesOfProcess,
  source: Source = processSettings,
): Promise<Service> {
  const drain = new Drain(
    createLogger({ service: name, ...(source['LOG_FORMAT'] === 'pretty' && { format: 'pretty' }) }),
  );
  const start = (one: Start, distance = 0): Promise<Service> =>
    one({ drain, environment: { ...source, ...shiftPorts(source, distance) } });
  await Promise.all(Object.entries(others).map(([distance, other]) => start(other, Number(distance))));
  const service = await start(first);
  service.platform.metrics.collectProcess();
  return service;
}

const portSettings = ['PORT', 'LENSFORGE_MANAGEMENT_PORT'];

/** The settings of ports, `distance` higher; 0, which chooses a free port, and what is no port stay as they are. */
const shiftPorts = (source: Source, distance: number): Source =>
  Object.fromEntries(
    portSettings.map((name) => {
      const port = Number(source[name]);
      return [name, Number.isInteger(port) && port > 0 ? `${port + distance}` : source[name]];
    }),
  );
