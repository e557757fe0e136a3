import type { LabelArm } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const workflowVisibilities = ['public', 'private', 'unlisted'] as const;
export type WorkflowVisibility = (typeof workflowVisibilities)[number];

@Entity('workflows')
export class Workflow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  title!: string;

  @Column('text')
  description!: string;

  @Column('text')
  visibility!: WorkflowVisibility;

  /** The newest version. */
  @Column('uuid')
  headVersionId!: string;

  /** The label whose version callers get that name none; the newest version when null. */
  @Column({ type: 'text', nullable: true })
  defaultLabel!: string | null;

  /** The version of the default label. */
  @Column({ type: 'uuid', nullable: true })
  servedVersionId!: string | null;

  /** The arms of the default label. */
  @Column('json', { nullable: true })
  servedArms!: LabelArm[] | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}
