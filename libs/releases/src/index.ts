export {
  type FindEvidence,
  type LabelMove,
  type LabelPlace,
  Labels,
  type WantedEvidence,
  isGuarded,
} from './labels.js';
export { requireValidLabel } from './label-name.js';
export { requirePerson } from './require-person.js';
