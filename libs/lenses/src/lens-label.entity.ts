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

  /** Only a person who is signed in can move or remove it. */
  @Column('boolean', { default: false })
  protected!: boolean;

  @Column('timestamptz')
  updatedAt!: Date;
}
