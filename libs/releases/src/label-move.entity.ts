import type { LabelArm, LabelEvidence } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type MoveKind = 'set' | 'return' | 'remove';

/** A move of a label, with the versions before and after it. */
export abstract class StoredLabelMove {
  @PrimaryColumn('uuid')
  id!: string;

  /** The lens or workflow. */
  abstract ownerId: string;

  @Column('text')
  label!: string;

  /** Null when the label was removed. */
  @Column('uuid', { nullable: true })
  versionId!: string | null;

  /** Null for a new label. */
  @Column('uuid', { nullable: true })
  beforeId!: string | null;

  @Column('json', { nullable: true })
  arms!: LabelArm[] | null;

  @Column('json', { nullable: true })
  armsBefore!: LabelArm[] | null;

  @Column('text')
  kind!: MoveKind;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('jsonb', { nullable: true })
  evidence!: LabelEvidence | null;

  /** It moved against the rules of the label. */
  @Column('boolean')
  overridden!: boolean;

  /** The account of the second person. */
  @Column('uuid', { nullable: true })
  approvedBy!: string | null;

  @Column('text')
  credentialKind!: string;

  @Column('timestamptz')
  movedAt!: Date;
}

@Entity('lens_label_moves')
export class LensLabelMove extends StoredLabelMove {
  @Column('uuid', { name: 'lens_id' })
  ownerId!: string;
}

@Entity('workflow_label_moves')
export class WorkflowLabelMove extends StoredLabelMove {
  @Column('uuid', { name: 'workflow_id' })
  ownerId!: string;
}
