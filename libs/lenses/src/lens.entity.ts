import { Column, Entity, PrimaryColumn } from 'typeorm';

export type LensVisibility = 'public' | 'community' | 'private';
export type LensStatus = 'draft' | 'published' | 'archived';

@Entity('lenses')
export class Lens {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  title!: string;

  @Column('text')
  description!: string;

  @Column('text')
  visibility!: LensVisibility;

  @Column('text')
  status!: LensStatus;

  @Column('uuid')
  headVersionId!: string;

  @Column('uuid', { nullable: true })
  parentLensId!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}
