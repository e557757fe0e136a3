import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The settings of a sponsor pool. */
@Entity('lens_sponsorships')
export class LensSponsorship {
  @PrimaryColumn('uuid')
  lensId!: string;

  /** The owner who set up the pool and whose credits it spends. */
  @Column('uuid')
  accountId!: string;

  @Column('boolean')
  enabled!: boolean;

  @Column('bigint')
  credits!: string;

  @Column('text')
  period!: 'month' | 'total';

  /** The sponsored models as provider/key; null for every model within the limits. */
  @Column('text', { array: true, nullable: true })
  models!: string[] | null;

  @Column('bigint')
  maxCreditsPerRun!: string;

  @Column('bigint')
  maxCreditsPerCallerPerDay!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
