export { type Split, chooseArm, hashStickyKey, stickyHashOf } from './arms.js';
export {
  type FindEvidence,
  type LabelMove,
  type LabelPlace,
  type Return,
  Labels,
  type WantedEvidence,
  isGuarded,
} from './labels.js';
export { LabelWatch } from './label-watch.entity.js';
export {
  type ReturnNotice,
  claimReturnNotice,
  completeReturnNotice,
  deleteOldReturnNotices,
  releaseReturnNotice,
} from './return-notices.js';
export { dropWatch, listDueWatches, recordLook } from './watches.js';
export { isLabelName, requireValidLabel } from './label-name.js';
export { requirePerson } from './require-person.js';
