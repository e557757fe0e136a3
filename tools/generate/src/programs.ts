import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Shape } from '@lensforge/contracts';
import { PlatformEnvironment } from '@lensforge/edge';

/** A program with a configuration class. */
export interface Program {
  /** The app that it belongs to. */
  name: string;
  /** The module that its configuration class is in, without extension. */
  module: string;
  environment: Shape;
}

const isEnvironment = (value: unknown): value is Shape =>
  typeof value === 'function' && value.prototype instanceof PlatformEnvironment;

/** `dist` in the built program, `src` in tests. */
const folderOfModules = basename(import.meta.dirname);

/** The configuration classes of all apps. Apps export nothing, so the classes come from files. */
export async function programsIn(apps: string): Promise<Program[]> {
  const found = (await readdir(apps)).sort().map(async (name): Promise<Program[]> => {
    const folder = join(apps, name, folderOfModules);
    const files = existsSync(folder) ? await readdir(folder) : [];
    const ofApp = files
      .filter((file) => /^([a-z]+-)?environment\.(js|ts)$/.test(file))
      .map(async (file) => {
        const exported = (await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>;
        return Object.values(exported)
          .filter(isEnvironment)
          .map((environment) => ({ name, module: parse(file).name, environment }));
      });
    return (await Promise.all(ofApp)).flat();
  });
  return (await Promise.all(found)).flat();
}
