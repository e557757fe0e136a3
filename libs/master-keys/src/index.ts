export { checkMasterKey, type MasterKeyUse } from './check-master-key.js';
export { forgetUnusedMasterKeys, listMasterKeys, type MasterKeyRecord } from './list-master-keys.js';
export { rewrapSealed, type Rewrapping } from './rewrap-sealed.js';
export { type MasterKeySetting, type SealedColumn, sealedColumns } from './sealed-columns.js';
export { WrongMasterKey } from './wrong-master-key.js';
