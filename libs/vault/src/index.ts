export { open, rewrap, seal, sealedWith } from './envelope.js';
export type { BoundTo } from './envelope.js';
export { KeyRing, faultOfMasterKeys, keyRing, readMasterKeys } from './key-ring.js';
export { SealBroken } from './seal-broken.js';
export { closeBox, makeBoxKeys, openBox, readPrivateKey, rewrapKey } from './sealed-box.js';
export type { BoxPlace, SealedBox } from './sealed-box.js';
