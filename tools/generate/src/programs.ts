import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Shape } from '@lensforge/contracts';
import { PlatformEnvironment } from '@lensforge/edge';

/** A program with a configuration class. */
export interface Program {
  /** The app that it belongs to. */
  name: string;
  /** The module that its configuration class is in. */
  file: string;
  environment: Shape;
}

const isEnvironment = (value: unknown): value is Shape =>
  typeof value === 'function' && value.prototype instanceof PlatformEnvironment;

/** The built configuration classes of all apps. Apps export nothing, so they are taken from their dist folders. */
export async function programsIn(apps: string): Promise<Program[]> {
  const found = (await readdir(apps)).sort().map(async (name): Promise<Program[]> => {
    const folder = join(apps, name, 'dist');
    const files = existsSync(folder) ? await readdir(folder) : [];
    const ofApp = files
      .filter((file) => /^([a-z]+-)?environment\.js$/.test(file))
      .map(async (file) => {
        const exported = (await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>;
        return Object.values(exported)
          .filter(isEnvironment)
          .map((environment) => ({ name, file, environment }));
      });
    return (await Promise.all(ofApp)).flat();
  });
  return (await Promise.all(found)).flat();
}
