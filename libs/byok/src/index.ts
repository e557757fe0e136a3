export { ByokKey } from './byok-key.entity.js';
export { ByokKeyPair } from './byok-key-pair.entity.js';
export { readableByokKey } from './byok-access.js';
export * from './byok-opener.js';
export * from './create-byok-key.js';
export { ensureKeyPair } from './key-pairs.js';
export * from './list-byok-keys.js';
export * from './revoke-byok-key.js';
export * from './rotate-byok-key.js';
export * from './rotate-byok-master.js';
export * from './test-byok-key.js';

import { ByokKey } from './byok-key.entity.js';
import { ByokKeyPair } from './byok-key-pair.entity.js';

export const byokEntities = [ByokKey, ByokKeyPair] as const;
