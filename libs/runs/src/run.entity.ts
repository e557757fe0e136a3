import type {
  BillingStatus,
  ConcurrencyStrategy,
  FinishReason,
  FundingSource,
  RunKind,
  RunStatus,
  Sampling,
  TokenDetails,
} from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type WaitsFor = 'time' | 'key' | 'slot' | 'runner' | 'report' | 'approval' | 'batch';

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

  /** The label that decided about the version. */
  @Column('text', { nullable: true })
  label!: string | null;

  /** The number of the version, when the label had arms. */
  @Column('text', { nullable: true })
  arm!: string | null;

  /** The hash of the sticky key of its request. */
  @Column('text', { nullable: true })
  stickyHash!: string | null;

  @Column('uuid', { nullable: true })
  parentRunId!: string | null;

  @Column('text')
  status!: RunStatus;

  @Column('jsonb')
  params!: Record<string, unknown>;

  /** For a workflow: the model of all its nodes, if the caller chose one. */
  @Column('uuid', { nullable: true })
  modelId!: string | null;

  @Column('text', { nullable: true })
  fundingSource!: FundingSource | null;

  /** Incremented each time the run is queued again; a job of an older generation is a no-op. */
  @Column('integer')
  generation!: number;

  /** Incremented by each claim: the fencing token of everything that the worker writes. */
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

  /** The time at which the run was last queued or began to wait for admission. */
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

  @Column('jsonb', { nullable: true })
  tokenDetails!: TokenDetails | null;

  /** Of the request that the run consists of; null for workflows, and for lenses with tools. */
  @Column('text', { nullable: true })
  finishReason!: FinishReason | null;

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

  /** Runs of an account with a higher priority are admitted earlier. */
  @Column('smallint')
  priority!: number;

  @Column('timestamptz', { nullable: true })
  notBefore!: Date | null;

  /** The time of admission; null while the run waits. */
  @Column('timestamptz', { nullable: true })
  admittedAt!: Date | null;

  /** The reason why the run is not admitted yet. */
  @Column('text', { nullable: true })
  waitsFor!: WaitsFor | null;

  /** Sort key of the account's backlog: the time at which the run was due, a minute earlier per point of priority. */
  @Column('timestamptz')
  orderAt!: Date;

  /** The id of the lens or workflow and the caller's key, joined by `keyWithin`. */
  @Column('text', { nullable: true })
  concurrencyKey!: string | null;

  @Column('text', { nullable: true })
  concurrencyStrategy!: ConcurrencyStrategy | null;

  /** The time limit of the execution. */
  @Column('integer', { nullable: true })
  executionMs!: number | null;

  /** The most that the caller wants to pay. */
  @Column('bigint', { nullable: true })
  creditLimit!: string | null;

  /** The account whose credits are held; the run's own account when null. */
  @Column('uuid', { nullable: true })
  payerAccountId!: string | null;

  @Column('uuid', { nullable: true })
  byokKeyId!: string | null;

  /** The provider that answered, if it is not the provider of the model. */
  @Column('text', { nullable: true })
  providerKey!: string | null;

  /** The origin of a run that no caller started: a schedule, a webhook, another run. */
  @Column('jsonb', { nullable: true })
  cause!: Record<string, unknown> | null;

  @Column('bigint', { nullable: true })
  budgetCredits!: string | null;

  @Column('bigint')
  spentCredits!: string;

  @Column('integer')
  modelCalls!: number;

  /** Incremented by each move of the run's nodes; guards moves that were decided on an older version. */
  @Column('integer')
  nodeVersion!: number;

  /** JSON schema of the answer. */
  @Column('jsonb', { nullable: true })
  outputSchema!: Record<string, unknown> | null;

  @Column('jsonb', { nullable: true })
  sampling!: Sampling | null;

  /** The model that answered, if it is not `modelId`. */
  @Column('uuid', { nullable: true })
  answeredModelId!: string | null;
}
