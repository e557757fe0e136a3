import type { RunFilter, RunOperationAction, RunOperationStatus } from '@lensforge/contracts';
import type { Actor } from '@lensforge/core';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A cancel or retry of many runs of an account, one after the other. */
@Entity('run_operations')
export class RunOperation {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  requestId!: string;

  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('uuid')
  accountId!: string;

  @Column('jsonb')
  askedBy!: Actor;

  @Column('text')
  action!: RunOperationAction;

  @Column('jsonb')
  filter!: RunFilter;

  @Column('text', { nullable: true })
  retryFrom!: string | null;

  @Column('text')
  status!: RunOperationStatus;

  /** The run that was processed last; the remaining runs have lower ids. */
  @Column('uuid', { nullable: true })
  position!: string | null;

  @Column('integer')
  matched!: number;

  @Column('integer')
  done!: number;

  @Column('integer')
  failed!: number;

  @Column('text', { nullable: true })
  errorCode!: string | null;

  @Column('text', { nullable: true })
  errorMessage!: string | null;

  /** Incremented each time the operation is queued again. */
  @Column('integer')
  generation!: number;

  /** Incremented by each claim: the fencing token of the worker's writes. */
  @Column('integer')
  attempt!: number;

  @Column('integer')
  lostAttempts!: number;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  @Column('timestamptz', { nullable: true })
  cancelRequestedAt!: Date | null;

  @Column('timestamptz')
  queuedAt!: Date;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  completedAt!: Date | null;
}
