export { CreditAccount } from './credit-account.entity.js';
export { CreditEntry } from './credit-entry.entity.js';
export type { CreditEntryKind } from './credit-entry.entity.js';
export { CreditUse } from './credit-use.entity.js';
export { useOf } from './credit-limit.js';
export type { CreditLimit, LimitUse } from './credit-limit.js';
export * from './check-balances.js';
export * from './grant-credits.js';
export * from './hold-credits.js';
export * from './ledger-faults.js';
export * from './list-credit-entries.js';
export * from './read-balance.js';
export { readBudget } from './read-budget.js';
export * from './settle-credits.js';

import { CreditAccount } from './credit-account.entity.js';
import { CreditEntry } from './credit-entry.entity.js';
import { CreditUse } from './credit-use.entity.js';

export const creditEntities = [CreditAccount, CreditEntry, CreditUse] as const;
