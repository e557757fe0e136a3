import { readFileSync } from 'node:fs';

/** All packages of the platform are released together, so this one's version is everybody's. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
