export { chooseArm, hashStickyKey, stickyHashOf } from './arms.js';
export {
  type FindEvidence,
  type LabelMove,
  type LabelPlace,
  type Return,
  Labels,
  type WantedEvidence,
  requireMayLeave,
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
export { StoredLabelProposal } from './label-proposal.entity.js';
export { decide, findProposal, freeLabel, listProposalIds } from './proposals.js';
export {
  type ProposalNotice,
  claimProposalNotice,
  completeProposalNotice,
  releaseProposalNotice,
} from './proposal-notices.js';
export { isLabelName, requireValidLabel } from './label-name.js';
