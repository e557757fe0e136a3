import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Graph } from './node-types.js';

/** A version of a workflow; never updated. */
@Entity('workflow_versions')
export class WorkflowVersion {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  workflowId!: string;

  /** Counts from 1 within its workflow. */
  @Column('integer')
  number!: number;

  @Column('jsonb')
  graph!: Graph;

  @Column('text')
  changelog!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
