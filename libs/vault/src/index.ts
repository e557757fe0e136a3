export { open, rewrap, seal, readKeyVersion } from './envelope.js';
export type { SealContext } from './envelope.js';
export { KeyRing, masterKeysFault, keyRing, readMasterKeys } from './key-ring.js';
export { SealBroken } from './seal-broken.js';
export { sealBox, makeBoxKeys, openBox, readPrivateKey, rewrapKey } from './sealed-box.js';
export type { BoxContext, SealedBox } from './sealed-box.js';
