import 'reflect-metadata';

export * from './migrate.js';
export type { Migration } from './migration.js';
export { migrations } from './migrations/index.js';
export * from './open-database.js';
export * from './outbox.js';
export { planOnce, plannedOnce } from './plan-once.js';
export { readInParts } from './read-in-parts.js';
export type { SizedRow } from './read-in-parts.js';
export * from './ride-out.js';
export * from './to-jsonb.js';
export * from './transaction.js';
export { withinMost } from './within-most.js';
