export {
  type FindEvidence,
  type LabelMove,
  type LabelPlace,
  Labels,
  type StoredMove,
  type WantedEvidence,
  isGuarded,
} from './labels.js';
export { LensLabel, WorkflowLabel } from './label.entity.js';
export { LensLabelMove, WorkflowLabelMove } from './label-move.entity.js';
export { requireValidLabel } from './label-name.js';
export { requirePerson } from './require-person.js';
