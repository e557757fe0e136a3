import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The available and held credits of an account. Every change is written together with a ledger entry. */
@Entity('credit_accounts')
export class CreditAccount {
  @PrimaryColumn('uuid')
  accountId!: string;

  @Column('bigint', { default: 0 })
  available!: string;

  @Column('bigint', { default: 0 })
  held!: string;
}
