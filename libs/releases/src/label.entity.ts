import type { LabelArm, LabelBounds, LabelReturned, LabelRules } from '@lensforge/contracts';
import { userJson } from '@lensforge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A movable name for a version, such as production. */
export abstract class Label {
  /** The lens or workflow. */
  abstract ownerId: string;

  @PrimaryColumn('text')
  label!: string;

  @Column('uuid')
  versionId!: string;

  /** Versions that a part of the callers get instead. */
  @Column('json', { nullable: true })
  arms!: LabelArm[] | null;

  /** Only a person who is signed in can move or remove it. */
  @Column('boolean')
  protected!: boolean;

  /** The conditions of its moves. */
  @Column('json', { nullable: true, transformer: userJson })
  rules!: LabelRules | null;

  /** When it returns by itself. */
  @Column('json', { nullable: true })
  bounds!: LabelBounds | null;

  /** The version that it returned from, until it is set again. */
  @Column('json', { nullable: true })
  returned!: LabelReturned | null;

  /** The proposal for its next move. */
  @Column('uuid', { nullable: true })
  proposalId!: string | null;

  @Column('timestamptz')
  updatedAt!: Date;
}

@Entity('lens_labels')
export class LensLabel extends Label {
  @PrimaryColumn('uuid', { name: 'lens_id' })
  ownerId!: string;
}

@Entity('workflow_labels')
export class WorkflowLabel extends Label {
  @PrimaryColumn('uuid', { name: 'workflow_id' })
  ownerId!: string;
}
