export { checkSchema, mayRewriteAudit, migrate, newestSchema } from './migrate.js';
export type { Migration } from './migration.js';
export { migrations } from './migrations/index.js';
export { openDatabase } from './open-database.js';
export type { Entities } from './open-database.js';
export { publishEvent, claimOutbox, enqueue, postponeOutbox, outboxLag, deleteFromOutbox } from './outbox.js';
export type { EnqueueOptions, OutboxLag, OutboxRow } from './outbox.js';
export { perDatabase } from './per-database.js';
export type { PerDatabase } from './per-database.js';
export { preparedStatement, preparedStatements } from './prepared-statement.js';
export { readInParts } from './read-in-parts.js';
export type { SizedRow } from './read-in-parts.js';
export { codeOf, isLockTimeout, isTransient, withDbRetry, withDbRetryFrom } from './db-retry.js';
export { SchemaError } from './schema-error.js';
export { toJsonb } from './to-jsonb.js';
export { afterCommit, inTransaction } from './transaction.js';
export { requireBelowLimit } from './account-limit.js';

import 'reflect-metadata';
