import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the owner of a lens gives for the runs of others. */
@Entity('lens_sponsorships')
export class LensSponsorship {
  @PrimaryColumn('uuid')
  lensId!: string;

  /** Whose credits they are: the owner's who set it. */
  @Column('uuid')
  accountId!: string;

  @Column('boolean')
  enabled!: boolean;

  @Column('bigint')
  credits!: string;

  @Column('text')
  period!: 'month' | 'total';

  /** The models that are paid for, as provider/key; null: each whose run stays within the limits. */
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
