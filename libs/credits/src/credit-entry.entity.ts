import { Column, Entity, PrimaryColumn } from 'typeorm';

export type CreditEntryKind = 'grant' | 'hold' | 'capture' | 'release';

/** One movement of the append-only ledger: `amount` leaves `debit` and arrives at `credit`. */
@Entity('credit_entries')
export class CreditEntry {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('uuid', { nullable: true })
  runId!: string | null;

  /** The node of the run that it is for; empty when it is for the run as a whole. */
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

  /** Of a grant that shall be made once, however often it is asked for. */
  @Column('text', { nullable: true })
  key!: string | null;

  /** Which limits the hold counts against, by the id of their credit_uses. */
  @Column('uuid', { array: true })
  uses!: string[];

  @Column('timestamptz')
  createdAt!: Date;
}
