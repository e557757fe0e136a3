export { checkMasterKey } from './check-master-key.js';
export { giveUpMasterKey } from './give-up-master-key.js';
export type { GivenUp } from './give-up-master-key.js';
export { deleteUnusedMasterKeys, listMasterKeys } from './list-master-keys.js';
export type { MasterKeyRecord } from './list-master-keys.js';
export { rewrapSealed } from './rewrap-sealed.js';
export { sealedColumns } from './sealed-columns.js';
export type { MasterKeySetting } from './sealed-columns.js';
export { WrongMasterKey } from './wrong-master-key.js';
