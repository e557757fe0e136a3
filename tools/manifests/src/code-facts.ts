import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Shape, listFields, jobs } from '@lensforge/contracts';
import { BadEnvironment, PlatformEnvironment, readEnvironment } from '@lensforge/edge';
import { QueueKeys } from 'bullmq';
import type { Facts, ProgramSettings } from './facts.js';

const apps = join(import.meta.dirname, '..', '..', '..', 'apps');
const programs = ['api-gateway', 'mcp-gateway', 'oauth', 'operate', 'run-worker', 'webhook-dispatcher'];

const isEnvironment = (value: unknown): value is Shape<PlatformEnvironment> =>
  typeof value === 'function' && value.prototype instanceof PlatformEnvironment;

/** The configuration class of an app. Apps export nothing, so it comes from its file. */
async function readAppEnvironment(app: string): Promise<Shape<PlatformEnvironment>> {
  const folder = join(apps, app, 'src');
  const module = (await import(pathToFileURL(join(folder, 'environment.ts')).href)) as Record<string, unknown>;
  const found = Object.values(module).find(isEnvironment);
  if (!found) throw new Error(`${app} has no configuration class in src/environment.ts`);
  return found;
}

/** The settings of all programs and the keys of queues, as the code has them. */
export async function factsOfCode(): Promise<Omit<Facts, 'production'>> {
  // One after the other: Jest cannot link modules that two imports share at the same time.
  const shapes = new Map<string, Shape<PlatformEnvironment>>();
  for (const app of programs) shapes.set(app, await readAppEnvironment(app));
  const settings = new Map(
    [...shapes].map(([app, shape]): [string, ProgramSettings] => {
      const fields = [...listFields(shape)];
      const defaults = new shape();
      const required = fields.filter(([name, { optional }]) => !optional && Reflect.get(defaults, name) === undefined);
      return [app, { known: new Set(fields.map(([name]) => name)), required: new Set(required.map(([name]) => name)) }];
    }),
  );
  const faultOfEnvironment: Facts['faultOfEnvironment'] = (program, environment) => {
    const shape = shapes.get(program);
    if (!shape) return `${program} is not a program`;
    try {
      readEnvironment(shape, environment);
      return undefined;
    } catch (error) {
      if (error instanceof BadEnvironment) return error.message;
      throw error;
    }
  };
  return { settings, faultOfEnvironment, queueKeys: queueKeys(new PlatformEnvironment().queuePrefix) };
}

/** As `toKey` of a queue of BullMQ, without its connection. */
function queueKeys(prefix: string): Facts['queueKeys'] {
  const keys = new QueueKeys(prefix);
  const key = (state: string): string => keys.toKey(jobs.executeRun.queue, state);
  return { waiting: key('wait'), prioritized: key('prioritized'), active: key('active') };
}
