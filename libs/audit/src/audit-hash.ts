import { createHash } from 'node:crypto';

/** The hashed columns of an entry: all but the hash itself. */
export interface HashedFields {
  accountId: string;
  sequence: number;
  id: string;
  action: string;
  actor: unknown;
  target: unknown;
  details: unknown;
  requestId: string;
  /** With the microseconds of the database. */
  occurredAt: string;
  previousHash: string;
}

/** The previous hash of the first entry of a chain. */
export const genesisHash: Buffer = Buffer.alloc(32);

export const auditHash = (entry: HashedFields): Buffer => createHash('sha256').update(canonicalJson(entry)).digest();

/** JSON with sorted object members, because jsonb does not keep their order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
