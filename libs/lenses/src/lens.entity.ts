import type { LabelArm } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const lensVisibilities = ['public', 'community', 'private'] as const;
export type LensVisibility = (typeof lensVisibilities)[number];

export const lensStatuses = ['draft', 'published', 'archived'] as const;
export type LensStatus = (typeof lensStatuses)[number];

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

  /** The newest version. */
  @Column('uuid')
  headVersionId!: string;

  /** The label whose version callers get that name none; the newest version when null. */
  @Column({ type: 'text', nullable: true, insert: false })
  defaultLabel!: string | null;

  /** The version of the default label. */
  @Column({ type: 'uuid', nullable: true, insert: false })
  servedVersionId!: string | null;

  /** The arms of the default label. */
  @Column('json', { nullable: true })
  servedArms!: LabelArm[] | null;

  @Column('uuid', { nullable: true })
  parentLensId!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;

  @Column('text', { array: true })
  tags!: string[];

  /** The status that restoring an archived lens gives back. */
  @Column('text', { nullable: true })
  archivedFrom!: 'draft' | 'published' | null;

  /** The logarithm of the use count to the base 1.5. */
  @Column({ type: 'smallint', insert: false })
  popularity!: number;

  /** The search vector, in lower case: title, tags, description and newest text. */
  @Column({ type: 'tsvector', select: false, insert: false })
  searchVector!: string;
}
