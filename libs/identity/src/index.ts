export { Account } from './account.entity.js';
export type { AccountKind } from './account.entity.js';
export { ApiToken } from './api-token.entity.js';
export * from './create-account.js';
export * from './create-user.js';
export * from './find-credentials.js';
export * from './issue-token.js';
export { hashPassword, isPassword } from './password.js';
export * from './revoke-token.js';
export * from './token.js';
export { User } from './user.entity.js';

import { Account } from './account.entity.js';
import { ApiToken } from './api-token.entity.js';
import { User } from './user.entity.js';

export const identityEntities = [Account, User, ApiToken] as const;
