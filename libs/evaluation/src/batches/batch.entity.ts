import { userJson } from '@lensforge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type BatchStatus = 'created' | 'sending' | 'submitted' | 'canceling' | 'ended';

/** Requests that are sent together to the batch service of a provider. */
@Entity('model_batches')
export class ModelBatch {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  experimentId!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  provider!: string;

  @Column('text')
  model!: string;

  @Column('uuid', { nullable: true })
  byokKeyId!: string | null;

  @Column('text')
  status!: BatchStatus;

  /** The name of the batch at the provider. */
  @Column('text', { nullable: true })
  providerId!: string | null;

  @Column('integer')
  calls!: number;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('timestamptz')
  completeBy!: Date;

  @Column('timestamptz', { nullable: true })
  sentAt!: Date | null;

  /** The time of the next look; also the lease of the worker that looks now. */
  @Column('timestamptz')
  dueAt!: Date;

  /** The number of the newest look, which fences its writes. */
  @Column('integer')
  look!: number;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;
}

export type BatchCallState = 'waiting' | 'sent' | 'answered' | 'failed' | 'live';

/** The request of a run that waits for a batch. */
@Entity('batch_calls')
export class BatchCall {
  @PrimaryColumn('uuid')
  runId!: string;

  @Column('uuid')
  experimentId!: string;

  @Column('uuid', { nullable: true })
  batchId!: string | null;

  @Column('text')
  state!: BatchCallState;

  /** True when its run was continued. */
  @Column('boolean')
  isResumed!: boolean;

  @Column('text')
  provider!: string;

  @Column('text')
  model!: string;

  @Column('uuid', { nullable: true })
  byokKeyId!: string | null;

  /** The body of the request, as the provider reads it. */
  @Column('json', { transformer: userJson })
  request!: unknown;

  /** The body of the answer. */
  @Column('json', { nullable: true, transformer: userJson })
  answer!: unknown;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('timestamptz')
  completeBy!: Date;

  @Column('timestamptz')
  createdAt!: Date;
}
