import { readFileSync } from 'node:fs';

/** The version of the platform: all of its packages are released together. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
