export { ByokKey } from './byok-key.entity.js';
export type { ByokTestStatus } from './byok-key.entity.js';
export { ByokKeyPair } from './byok-key-pair.entity.js';

import { ByokKey } from './byok-key.entity.js';
import { ByokKeyPair } from './byok-key-pair.entity.js';

export const byokEntities = [ByokKey, ByokKeyPair] as const;
