import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A name that points at a version and can be moved to another one. */
@Entity('lens_labels')
export class LensLabel {
  @PrimaryColumn('uuid')
  lensId!: string;

  @PrimaryColumn('text')
  label!: string;

  @Column('uuid')
  versionId!: string;

  @Column('timestamptz')
  updatedAt!: Date;
}
