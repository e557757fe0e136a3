export { readableByokKey } from './byok-access.js';
export { ByokOpener, recordByokUse } from './byok-opener.js';
export type { StoredBox } from './byok-opener.js';
export { MAX_BYOK_KEYS, createByokKey } from './create-byok-key.js';
export { ensureKeyPair } from './key-pairs.js';
export { listByokKeys } from './list-byok-keys.js';
export { revokeByokKey } from './revoke-byok-key.js';
export { rotateByokKey } from './rotate-byok-key.js';
export { rotateByokMaster } from './rotate-byok-master.js';
export { sealForWorkers } from './seal-for-workers.js';
export type { WorkerBox } from './seal-for-workers.js';
export { finishByokTest, startByokTest } from './test-byok-key.js';

import { ByokKey } from './byok-key.entity.js';
import { ByokKeyPair } from './byok-key-pair.entity.js';
export const byokEntities = [ByokKey, ByokKeyPair] as const;
