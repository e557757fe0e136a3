import type { EntityManager } from 'typeorm';
import { type HashedFields, auditHash, genesisHash } from './audit-hash.js';
import { saltedHash } from './personal-details.js';

export interface ChainBreak {
  accountId: string;
  /** The sequence number of the break. */
  sequence: number;
  what: string;
}

export interface AuditVerdict {
  accounts: number;
  entries: number;
  /** The first break of each broken chain; at most `most`. */
  breaks: ChainBreak[];
  /** The number of broken chains. */
  broken: number;
}

interface Row extends Omit<HashedFields, 'sequence' | 'details'> {
  sequence: string;
  details: { personalHash?: string; erased?: boolean };
  /** The personal details, which stand beside the chain, with their salt. */
  salt: Buffer | null;
  personal: unknown;
  /** True when the entry names a closed account and something of it is erased. */
  isErased: boolean;
  hash: string;
  headSequence: string | null;
  headHash: string | null;
}

const pageSize = 500;
const minUuid = '00000000-0000-0000-0000-000000000000';
const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Verifies every chain, or that of one account, from its first entry to its head. Entries and heads come from the same
 * query, so entries that are appended at the same time are no breaks.
 */
export async function verifyAudit(
  db: EntityManager,
  accountId?: string,
  { most = 100 }: { most?: number } = {},
): Promise<AuditVerdict> {
  const verdict: AuditVerdict = { accounts: 0, entries: 0, breaks: [], broken: 0 };
  const report = (found: ChainBreak): void => {
    verdict.broken += 1;
    if (verdict.breaks.length < most) verdict.breaks.push(found);
  };

  let chain: Chain | undefined;
  const close = (): void => {
    const found = chain?.close();
    if (found) report(found);
  };
  for await (const row of entries(db, accountId)) {
    if (chain?.accountId !== row.accountId) {
      close();
      chain = new Chain(row.accountId);
      verdict.accounts += 1;
    }
    chain.follow(row);
    verdict.entries += 1;
  }
  close();
  for await (const found of emptied(db, accountId)) {
    verdict.accounts += 1;
    report(found);
  }
  return verdict;
}

export interface AuditPart {
  entries: number;
  /** The first break. */
  broken: ChainBreak | undefined;
  /** The entry after which the next part begins; undefined at the end of the chain and after a break. */
  next: number | undefined;
}

/** Verifies up to `most` entries of an account after a verified one, and at the end of the chain also its head. */
export async function verifyAuditPart(
  db: EntityManager,
  accountId: string,
  { after = 0, most = 10_000 }: { after?: number | undefined; most?: number } = {},
): Promise<AuditPart> {
  const chain = new Chain(accountId, after, after === 0 ? undefined : await readHash(db, accountId, after));
  let checked = 0;
  for await (const row of entries(db, accountId, String(after))) {
    if (checked === most) {
      return { entries: checked, broken: chain.broken, next: chain.broken ? undefined : chain.sequence };
    }
    chain.follow(row);
    checked += 1;
  }
  if (checked > 0) return { entries: checked, broken: chain.close(), next: undefined };
  for await (const found of emptied(db, accountId)) return { entries: 0, broken: found, next: undefined };
  return { entries: 0, broken: undefined, next: undefined };
}

async function readHash(db: EntityManager, accountId: string, sequence: number): Promise<string | undefined> {
  const [entry] = await db.query<{ hash: string }[]>(
    `select encode(hash, 'hex') as hash from audit_entries where account_id = $1 and sequence = $2`,
    [accountId, sequence],
  );
  return entry?.hash;
}

class Chain {
  #sequence: number;
  #hash: string;
  #head: Pick<Row, 'headSequence' | 'headHash'> = { headSequence: null, headHash: null };
  #broken: ChainBreak | undefined;

  /** Begins after the entry with this sequence number and hash. */
  constructor(
    readonly accountId: string,
    sequence = 0,
    hash = genesisHash.toString('hex'),
  ) {
    this.#sequence = sequence;
    this.#hash = hash;
  }

  get sequence(): number {
    return this.#sequence;
  }

  get broken(): ChainBreak | undefined {
    return this.#broken;
  }

  follow({ hash, headSequence, headHash, salt, personal, isErased, ...row }: Row): void {
    const expected = this.#sequence + 1;
    const entry: HashedFields = { ...row, sequence: Number(row.sequence) };
    if (entry.sequence !== expected) {
      const missing =
        entry.sequence - 1 === expected ? `entry ${expected} is` : `entries ${expected} to ${entry.sequence - 1} are`;
      this.#break(expected, `${missing} missing`);
    } else if (
      // The hash of an entry that was written whole covers what was erased from it.
      (!(isErased && row.details.erased === true) && auditHash(entry).toString('hex') !== hash) ||
      (salt !== null && saltedHash(salt, personal) !== row.details.personalHash)
    ) {
      this.#break(expected, 'the entry was altered: its hash does not match its content');
    } else if (row.details.personalHash !== undefined && salt === null && !isErased) {
      this.#break(expected, 'the personal details of the entry are missing, and no account that it names is closed');
    } else if (entry.previousHash !== this.#hash) {
      this.#break(expected, 'the entry does not follow the one before it');
    }
    this.#sequence = entry.sequence;
    this.#hash = hash;
    this.#head = { headSequence, headHash };
  }

  close(): ChainBreak | undefined {
    const { headSequence, headHash } = this.#head;
    if (headSequence === null) this.#break(this.#sequence, 'the chain has no head');
    else if (Number(headSequence) > this.#sequence) {
      this.#break(this.#sequence + 1, `the newest entries, up to ${headSequence}, are missing`);
    } else if (Number(headSequence) < this.#sequence) {
      this.#break(Number(headSequence) + 1, 'there are entries beyond the head of the chain');
    } else if (headHash !== this.#hash) this.#break(this.#sequence, 'the head does not name the last entry');
    return this.#broken;
  }

  #break(sequence: number, what: string): void {
    this.#broken ??= { accountId: this.accountId, sequence, what };
  }
}

async function* entries(db: EntityManager, accountId: string | undefined, after = '0'): AsyncGenerator<Row> {
  let position: { accountId: string; sequence: string } = { accountId: accountId ?? minUuid, sequence: after };
  for (;;) {
    const rows = await db.query<Row[]>(
      `select e.account_id as "accountId", e.sequence, e.id, e.action, e.actor, e.target, e.details,
              e.request_id as "requestId",
              to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "occurredAt",
              encode(e.previous_hash, 'hex') as "previousHash", encode(e.hash, 'hex') as hash,
              h.sequence as "headSequence", encode(h.hash, 'hex') as "headHash", d.salt, d.details as personal,
              case when e.details ? 'erased' or e.details ? 'personalHash' and d.salt is null
                   then names_closed_account(e.account_id, e.actor, e.target) else false end as "isErased"
         from audit_entries e left join audit_heads h on h.account_id = e.account_id
         left join audit_details d on d.account_id = e.account_id and d.sequence = e.sequence
        where (e.account_id, e.sequence) > ($1, $2) and e.account_id <= $3
        order by e.account_id, e.sequence limit $4`,
      [position.accountId, position.sequence, accountId ?? maxUuid, pageSize],
    );
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < pageSize) return;
    position = end;
  }
}

/** Chains without entries whose head is left. */
async function* emptied(db: EntityManager, accountId: string | undefined): AsyncGenerator<ChainBreak> {
  let position: string | undefined;
  for (;;) {
    const rows = await db.query<{ accountId: string; sequence: string }[]>(
      `select h.account_id as "accountId", h.sequence from audit_heads h
        where ($1::uuid is null or h.account_id > $1) and ($2::uuid is null or h.account_id = $2) and h.sequence > 0
          and not exists (select from audit_entries e where e.account_id = h.account_id)
        order by h.account_id limit $3`,
      [position ?? null, accountId ?? null, pageSize],
    );
    for (const row of rows) {
      yield { accountId: row.accountId, sequence: 1, what: `all entries, up to ${row.sequence}, are missing` };
    }
    position = rows.at(-1)?.accountId;
    if (position === undefined || rows.length < pageSize) return;
  }
}
