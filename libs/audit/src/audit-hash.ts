import { createHash } from 'node:crypto';

/** What a hash covers: every column of an entry but the hash itself. */
export interface HashedFields {
  accountId: string;
  sequence: number;
  id: string;
  action: string;
  actor: unknown;
  target: unknown;
  details: unknown;
  requestId: string;
  /** With microseconds, as the database keeps it: a change of one of them is seen. */
  occurredAt: string;
  previousHash: string;
}

/** What the first entry of every chain follows. */
export const genesisHash: Buffer = Buffer.alloc(32);

export const auditHash = (entry: HashedFields): Buffer => createHash('sha256').update(canonicalJson(entry)).digest();

/** JSON with the members of every object in one order: jsonb does not keep the order in which they were written. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
