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

  @Column('uuid')
  headVersionId!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}
