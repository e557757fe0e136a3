import type { BillingStatus, ConcurrencyStrategy, FundingSource, RunStatus, Sampling } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type RunKind = 'lens' | 'workflow';
export type WaitsFor = 'time' | 'key' | 'place' | 'runner' | 'report';

@Entity('runs')
export class Run {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  requestId!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  kind!: RunKind;

  @Column('uuid', { nullable: true })
  lensId!: string | null;

  @Column('uuid', { nullable: true })
  lensVersionId!: string | null;

  @Column('uuid', { nullable: true })
  workflowId!: string | null;

  @Column('uuid', { nullable: true })
  workflowVersionId!: string | null;

  @Column('uuid', { nullable: true })
  parentRunId!: string | null;

  @Column('text')
  status!: RunStatus;

  @Column('jsonb')
  params!: Record<string, unknown>;

  /** Of a workflow's run: the model of all its nodes, where its caller has said one. */
  @Column('uuid', { nullable: true })
  modelId!: string | null;

  @Column('text', { nullable: true })
  fundingSource!: FundingSource | null;

  /** One more each time the run is queued again; a job of an older generation is a no-op. */
  @Column('integer')
  generation!: number;

  /** One more each time a worker takes the run: the fencing token of everything that worker writes. */
  @Column('integer')
  attempt!: number;

  @Column('integer')
  lostAttempts!: number;

  @Column('integer')
  lastSequence!: number;

  @Column('text', { nullable: true })
  worker!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  @Column('timestamptz')
  deadlineAt!: Date;

  @Column('timestamptz', { nullable: true })
  cancelRequestedAt!: Date | null;

  /** When it was last given to the queue, or began to wait for that. */
  @Column('timestamptz')
  queuedAt!: Date;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  completedAt!: Date | null;

  @Column('integer', { nullable: true })
  tokenInput!: number | null;

  @Column('integer', { nullable: true })
  tokenOutput!: number | null;

  @Column('bigint')
  creditHold!: string;

  @Column('bigint', { nullable: true })
  creditCost!: string | null;

  @Column('text')
  billingStatus!: BillingStatus;

  @Column('text', { nullable: true })
  errorCode!: string | null;

  @Column('text', { nullable: true })
  errorMessage!: string | null;

  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('text', { array: true })
  tags!: string[];

  @Column('jsonb', { nullable: true })
  metadata!: Record<string, unknown> | null;

  @Column('uuid', { nullable: true })
  batchId!: string | null;

  /** The larger, the sooner among the runs of its account. */
  @Column('smallint')
  priority!: number;

  @Column('timestamptz', { nullable: true })
  notBefore!: Date | null;

  /** When it was given to the queue; until then it waits for its turn. */
  @Column('timestamptz', { nullable: true })
  admittedAt!: Date | null;

  /** What it waits for while it is not admitted. */
  @Column('text', { nullable: true })
  waitsFor!: WaitsFor | null;

  /** Its place among those of its account that wait: when it came or was due, earlier by a minute for each priority. */
  @Column('timestamptz')
  placeAt!: Date;

  /** The id of its lens and the caller's word, as `keyWithin` puts them together. */
  @Column('text', { nullable: true })
  concurrencyKey!: string | null;

  @Column('text', { nullable: true })
  concurrencyStrategy!: ConcurrencyStrategy | null;

  /** How long it may execute once it has started. */
  @Column('integer', { nullable: true })
  executionMs!: number | null;

  /** What its caller would pay at most. */
  @Column('bigint', { nullable: true })
  creditLimit!: string | null;

  /** Whose credits are held; its own account's when absent. */
  @Column('uuid', { nullable: true })
  payerAccountId!: string | null;

  @Column('uuid', { nullable: true })
  byokKeyId!: string | null;

  /** Who answered, where that is not the provider of its model. */
  @Column('text', { nullable: true })
  providerKey!: string | null;

  /** What started it, where that was not a caller: a schedule, a webhook, another run. */
  @Column('jsonb', { nullable: true })
  cause!: Record<string, unknown> | null;

  @Column('bigint', { nullable: true })
  budgetCredits!: string | null;

  @Column('bigint')
  spentCredits!: string;

  @Column('integer')
  modelCalls!: number;

  /** One more each time nodes of the run move: the fence of those who decide what its nodes do next. */
  @Column('integer')
  nodeVersion!: number;

  /** What its answer has to be: JSON that fits. */
  @Column('jsonb', { nullable: true })
  outputSchema!: Record<string, unknown> | null;

  @Column('jsonb', { nullable: true })
  sampling!: Sampling | null;

  /** The model that answered, where that is not the one it was accepted for. */
  @Column('uuid', { nullable: true })
  answeredModelId!: string | null;
}
