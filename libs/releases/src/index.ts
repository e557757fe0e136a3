export { type Split, chooseArm, hashStickyKey, stickyHashOf } from './arms.js';
export {
  type FindEvidence,
  type LabelMove,
  type LabelPlace,
  Labels,
  type WantedEvidence,
  isGuarded,
} from './labels.js';
export { isLabelName, requireValidLabel } from './label-name.js';
export { requirePerson } from './require-person.js';
