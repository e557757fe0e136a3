export { checkBalances } from './check-balances.js';
export { CreditAccount } from './credit-account.entity.js';
export { CreditEntry } from './credit-entry.entity.js';
export { readLimitUse, readLimitUses } from './credit-limit.js';
export type { CreditLimit } from './credit-limit.js';
export { forecastCredits } from './forecast-credits.js';
export { grantCredits } from './grant-credits.js';
export { holdCredits, holdCreditsForRuns, requireCredits } from './hold-credits.js';
export { ledgerFaults } from './ledger-faults.js';
export type { LedgerFault } from './ledger-faults.js';
export { listCreditEntries } from './list-credit-entries.js';
export { readBalance } from './read-balance.js';
export { readBudget } from './read-budget.js';
export { settleCredits } from './settle-credits.js';

import { CreditAccount } from './credit-account.entity.js';
import { CreditEntry } from './credit-entry.entity.js';
import { CreditUse } from './credit-use.entity.js';
export const creditEntities = [CreditAccount, CreditEntry, CreditUse] as const;
