import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A movable name for a version, such as production. */
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
