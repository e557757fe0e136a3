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
  const programs: Program[] = [];
  for (const name of (await readdir(apps)).sort()) {
    const folder = join(apps, name, folderOfModules);
    const files = existsSync(folder) ? await readdir(folder) : [];
    for (const file of files.filter((each) => /^([a-z]+-)?environment\.(js|ts)$/.test(each))) {
      // One after the other: Jest cannot link modules that two imports share at the same time.
      const exported = (await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>;
      const found = Object.values(exported).filter(isEnvironment);
      programs.push(...found.map((environment) => ({ name, module: parse(file).name, environment })));
    }
  }
  return programs;
}
