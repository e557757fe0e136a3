import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface ServiceKind {
  name: string;
  /** The offset of its first port from the port base; replicas follow. */
  offset: number;
  /** Its name in `urls`, if it is public. */
  publicName?: 'api' | 'mcp' | 'oauth';
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
  ...(publicName && { publicName }),
});

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
