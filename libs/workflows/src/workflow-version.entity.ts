import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Graph } from './graph.js';

/** Immutable once written. */
@Entity('workflow_versions')
export class WorkflowVersion {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  workflowId!: string;

  /** 1, 2, 3 … within its workflow. */
  @Column('integer')
  number!: number;

  @Column('jsonb')
  graph!: Graph;

  @Column('text')
  changelog!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
