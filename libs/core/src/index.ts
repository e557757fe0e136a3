export { credentialKinds, noAccountId, platformActor } from './actor.js';
export { isServiceRole, requireScope } from './require-scope.js';
export { toAuthority, exceeds, intersectRights, readRights } from './authority.js';
export type { Authority, CreditLimit, Rights } from './authority.js';
export type { Actor, Credential, CredentialKind } from './actor.js';
export { systemClock } from './clock.js';
export type { Clock } from './clock.js';
export type { Context } from './context.js';
export {
  DomainError,
  asBadInput,
  badInput,
  badInputs,
  nestBadInput,
  notFound,
  issuesMessage,
  requireNewestBase,
  requiredMessage,
} from './domain-error.js';
export { batchCalls } from './batch-calls.js';
export { groupBy } from './group-by.js';
export { toSnakeCase } from './to-snake-case.js';
export { isUuid, newId } from './ids.js';
export { keyedMutex } from './keyed-mutex.js';
export {
  countedPage,
  cursorOfRow,
  decodeCursor,
  decodeKey,
  decodeOffset,
  encodeCursor,
  encodeKey,
  encodeOffset,
  foreignCursor,
  toPage,
} from './paging.js';
export { Random } from './random.js';
export { withoutBreaks, withoutSecretMembers, withoutSecrets } from './redaction.js';
export { toSortedJson } from './sorted-json.js';
export type { CountedPage, Page, PageRequest, PagePosition } from './paging.js';
export { type StateMachine, stateMachine } from './state-machine.js';
