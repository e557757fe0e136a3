import { Column, Entity, PrimaryColumn } from 'typeorm';

export type CreditEntryKind = 'grant' | 'hold' | 'capture' | 'release';

/** An entry of the append-only ledger: moves `amount` from `debit` to `credit`. */
@Entity('credit_entries')
export class CreditEntry {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('uuid', { nullable: true })
  runId!: string | null;

  /** The node of the run; empty for the run as a whole. */
  @Column('text', { default: '' })
  part!: string;

  @Column('text')
  kind!: CreditEntryKind;

  @Column('text')
  debit!: string;

  @Column('text')
  credit!: string;

  @Column('bigint')
  amount!: string;

  @Column('text', { nullable: true })
  note!: string | null;

  /** The idempotency key of a grant. */
  @Column('text', { nullable: true })
  key!: string | null;

  /** The ids of the credit_uses that the hold counts against. */
  @Column('uuid', { array: true })
  uses!: string[];

  @Column('timestamptz')
  createdAt!: Date;
}
