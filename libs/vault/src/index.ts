export { KeyRing, faultOfMasterKeys, keyRing, readMasterKeys, type MasterKey } from './key-ring.js';
export { open, rewrap, seal, sealedWith, type BoundTo } from './envelope.js';
export { SealBroken, type SealFault } from './seal-broken.js';
export {
  closeBox,
  makeBoxKeys,
  openBox,
  readPrivateKey,
  rewrapKey,
  type BoxKeys,
  type BoxPlace,
  type SealedBox,
} from './sealed-box.js';
