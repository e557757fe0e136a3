import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * What is held and spent of something that has a limit of its own: a token, a connector, the sponsor pool of a lens, a caller
 * in such a pool.
 */
@Entity('credit_uses')
export class CreditUse {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('bigint')
  held!: string;

  @Column('bigint')
  spent!: string;

  /** The month, by its first day, of which `spentInMonth` tells. */
  @Column('date')
  month!: string;

  @Column('bigint')
  spentInMonth!: string;

  /** The day (UTC) of which `spentInDay` tells. */
  @Column('date')
  day!: string;

  @Column('bigint')
  spentInDay!: string;
}
