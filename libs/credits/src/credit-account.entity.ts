import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an account can spend and what is held for its runs. Only moved together with an entry of the ledger. */
@Entity('credit_accounts')
export class CreditAccount {
  @PrimaryColumn('uuid')
  accountId!: string;

  @Column('bigint', { default: 0 })
  available!: string;

  @Column('bigint', { default: 0 })
  held!: string;
}
