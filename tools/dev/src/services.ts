import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface ServiceKind {
  name: string;
  /** The offset of its first port from the port base; replicas follow. */
  offset: number;
  /** Its name in `urls`, if it is public. */
  publicName?: 'api' | 'mcp' | 'oauth';
  /** The service whose ports the program has, if not its own. */
  portsOf?: string;
  /** Executes runs, so it gets the keys of providers and the master key of BYOK keys. */
  executesRuns?: boolean;
  /** The program, relative to the working folder of services. */
  entry: string;
  /** As in `ServiceOptions`. */
  nurseryMb?: number;
}

export const root = join(import.meta.dirname, '..', '..', '..');

/** Services that make much garbage for each run. */
const busy = new Set(['api-gateway', 'run-worker']);

const app = (name: string, offset: number, publicName?: ServiceKind['publicName']): ServiceKind => ({
  name,
  offset,
  entry: join('bundle', `${name}.js`),
  ...(busy.has(name) && { nurseryMb: 16 }),
  ...(name === 'run-worker' && { executesRuns: true }),
  ...(publicName && { publicName }),
});

/** The program that is all services in one process. */
export const allInOne: ServiceKind = {
  ...app('all-in-one', 0),
  portsOf: 'api-gateway',
  executesRuns: true,
  nurseryMb: 16,
};

/** The services whose program exists: those named, or all. */
export const knownServices = (...names: string[]): ServiceKind[] =>
  [
    app('api-gateway', 0, 'api'),
    app('mcp-gateway', 100, 'mcp'),
    app('oauth', 200, 'oauth'),
    app('run-worker', 300),
    app('webhook-dispatcher', 400),
  ].filter(
    ({ name }) =>
      (names.length === 0 || names.includes(name)) && existsSync(join(root, 'apps', name, 'src', 'main.ts')),
  );
