import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';

interface JestGlobals {
  expect?: { getState?: () => { testPath?: string } };
}

/** A unique name that contains the name of the test file. */
export function nameFromFile(separator: string): string {
  const path = (globalThis as JestGlobals).expect?.getState?.().testPath ?? 'outside-jest';
  const words = basename(path)
    .replace(/\.(spec|journey)?\.?ts$/, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  return ['t', ...words, randomBytes(5).toString('hex')].join(separator).slice(-60);
}
