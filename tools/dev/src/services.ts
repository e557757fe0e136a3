import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface ServiceKind {
  name: string;
  /** Distance of its first port from the port base; replicas follow one by one. */
  offset: number;
  /** What `urls` calls it, for those that the outside talks to. */
  door?: 'api' | 'mcp' | 'oauth';
  /** The program, relative to the folder that the services are started in. */
  entry: string;
  /** As in `ServiceOptions`. */
  nurseryMb?: number;
}

export const root = join(import.meta.dirname, '..', '..', '..');

const app = (name: string, offset: number, door?: ServiceKind['door']): ServiceKind => ({
  name,
  offset,
  entry: join('bundle', `${name}.js`),
  ...(name === 'api-gateway' && { nurseryMb: 16 }),
  ...(door && { door }),
});

/** All that Lensforge consists of; a room whose program is not written yet is left out. */
export const knownServices = (): ServiceKind[] =>
  [
    app('api-gateway', 0, 'api'),
    app('mcp-gateway', 100, 'mcp'),
    app('oauth', 200, 'oauth'),
    app('run-worker', 300),
    app('webhook-dispatcher', 400),
  ].filter(({ name }) => existsSync(join(root, 'apps', name, 'src', 'main.ts')));
