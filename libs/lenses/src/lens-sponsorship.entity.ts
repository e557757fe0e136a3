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

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
