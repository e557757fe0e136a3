export * from './audit-actions.js';
export * from './feign-audit.js';
export * from './list-audit.js';
export * from './record-audit.js';
export * from './verify-audit.js';
