import type { Rights } from '@lensforge/core';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Graph } from './node-types.js';

/** Versions from before editors were stored have no account. */
export type StoredRights = Rights & { accountId?: string };

/** A version of a workflow; never updated. */
@Entity('workflow_versions')
export class WorkflowVersion {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  workflowId!: string;

  /** Counts from 1 within its workflow; that of the version before for a candidate. */
  @Column('integer')
  number!: number;

  /** The digest of a graph that was run before it was saved; null for versions. */
  @Column('text', { nullable: true })
  candidate!: string | null;

  @Column('jsonb')
  graph!: Graph;

  @Column('text')
  changelog!: string;

  /** The rights of the credential that saved it. Runs that start later have no more. */
  @Column('jsonb')
  editor!: StoredRights;

  @Column('timestamptz')
  createdAt!: Date;
}
