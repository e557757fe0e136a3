import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from './audit-hash.js';

/** Members of details that consist of ids, numbers and fixed words. All others may name a person. */
const impersonal: ReadonlySet<string> = new Set([
  'accountId',
  'action',
  'allowed',
  'amount',
  'by',
  'byOperator',
  'createdBy',
  'creditLimit',
  'creditPeriod',
  'credits',
  'days',
  'enabled',
  'ended',
  'events',
  'expiresAt',
  'from',
  'invited',
  'kind',
  'left',
  'members',
  'messageId',
  'overlapSeconds',
  'period',
  'policy',
  'provider',
  'revokedGrants',
  'role',
  'runId',
  'runIds',
  'runs',
  'scopes',
  'sessions',
  'to',
  'tokenId',
  'tokens',
  'userId',
  'verdict',
  'workflowId',
]);

export type Details = Readonly<Record<string, unknown>>;

/** The details of an entry in two parts. */
export interface SplitDetails {
  /** In the chain; `personalHash` is the salted hash of the personal part. */
  chained: Details;
  /** Beside the chain; it is deleted when the account of the person is closed. */
  personal?: { salt: Buffer; details: Details };
}

export function splitDetails(details: Details): SplitDetails {
  const members = Object.entries(details);
  const chained = Object.fromEntries(members.filter(([name]) => impersonal.has(name)));
  const personal = Object.fromEntries(members.filter(([name]) => !impersonal.has(name)));
  if (Object.keys(personal).length === 0) return { chained };
  const salt = randomBytes(16);
  return {
    chained: { ...chained, personalHash: saltedHash(salt, personal) },
    personal: { salt, details: personal },
  };
}

export const saltedHash = (salt: Buffer, details: unknown): string =>
  createHash('sha256').update(salt).update(canonicalJson(details)).digest('hex');
