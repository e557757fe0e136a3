import { ByokOpener } from '@lensforge/byok';
import { masterKeysFrom } from '@lensforge/vault';
import type { KeyRing } from '@lensforge/vault';
import type { RunWorkerEnvironment } from './environment.js';

/** Undefined in a worker that shall not open keys of users. */
export const byokRingOf = ({
  LENSFORGE_BYOK_MASTER_KEY: text,
  LENSFORGE_BYOK_MASTER_KEY_FILE: file,
}: RunWorkerEnvironment): KeyRing | undefined => masterKeysFrom({ text, file });

export function openerOf(environment: RunWorkerEnvironment): ByokOpener | undefined {
  const ring = byokRingOf(environment);
  return ring && new ByokOpener(ring);
}
