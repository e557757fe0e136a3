import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * Credits held and spent under one limit: of a token, a connector, a sponsor pool, or a caller of such a pool.
 */
@Entity('credit_uses')
export class CreditUse {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('bigint')
  held!: string;

  @Column('bigint')
  spent!: string;

  /** The first day of the month that `spentInMonth` counts. */
  @Column('date')
  month!: string;

  @Column('bigint')
  spentInMonth!: string;

  /** The day (UTC) that `spentInDay` counts. */
  @Column('date')
  day!: string;

  @Column('bigint')
  spentInDay!: string;
}
