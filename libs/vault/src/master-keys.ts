import { readFileSync } from 'node:fs';
import type { KeyRing } from './key-ring.js';
import { keyRing, readMasterKeys } from './key-ring.js';

/** The ring that is given as text or as the path of a file with that text; undefined when neither is given. */
export function masterKeysFrom({
  text,
  file,
}: {
  text?: string | undefined;
  file?: string | undefined;
}): KeyRing | undefined {
  if (text !== undefined) return keyRing(readMasterKeys(text));
  if (file !== undefined) return keyRing(readMasterKeys(readFileSync(file, 'utf8').trim()));
  return undefined;
}
