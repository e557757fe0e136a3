export type { AuditAction } from './audit-actions.js';
export type { AuditPublicKey, AuditSigner, AuditStatement } from './audit-statement.js';
export { simulateAudit } from './simulate-audit.js';
export { listAudit } from './list-audit.js';
export { recordAudit } from './record-audit.js';
export { StatementsRewritten, signAuditHeads } from './sign-audit-heads.js';
export type { SigningOptions, StatementRef } from './sign-audit-heads.js';
export { verifyAudit, verifyAuditPart } from './verify-audit.js';
export { verifyStatements } from './verify-statements.js';
