import { ByokOpener } from '@lensforge/byok';
import { type KeyRing, keyRing, readMasterKeys } from '@lensforge/vault';
import type { RunWorkerEnvironment } from './environment.js';

/** Undefined in a worker without LENSFORGE_BYOK_MASTER_KEY. */
export const readByokRing = ({ LENSFORGE_BYOK_MASTER_KEY: keys }: RunWorkerEnvironment): KeyRing | undefined =>
  keys === undefined ? undefined : keyRing(readMasterKeys(keys));

export function createOpener(environment: RunWorkerEnvironment): ByokOpener | undefined {
  const ring = readByokRing(environment);
  return ring && new ByokOpener(ring);
}
