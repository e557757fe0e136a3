import type { User } from './user.entity.js';

/** On whose record the acts of a user go: that of the account, and until there is one that of the user. */
export const recordOf = ({ id, accountId }: Pick<User, 'id' | 'accountId'>): string => accountId ?? id;
