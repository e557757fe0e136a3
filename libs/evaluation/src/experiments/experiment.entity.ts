import type {
  ArmResult,
  CallPolicy,
  ExperimentArm,
  ExperimentGate,
  ExperimentStatus,
  FundingSource,
  GateOutcome,
  Sampling,
  UsedScorer,
} from '@lensforge/contracts';
import type { Actor } from '@lensforge/core';
import { userJson } from '@lensforge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An arm with what its runs need. */
export interface StoredArm extends ExperimentArm {
  sampling?: Sampling | undefined;
}

@Entity('experiments')
export class StoredExperiment {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  /** The caller, whose rights its runs have. */
  @Column('jsonb')
  askedBy!: Actor;

  @Column('uuid')
  requestId!: string;

  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('text')
  name!: string;

  @Column('text')
  status!: ExperimentStatus;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('uuid', { nullable: true })
  lensId!: string | null;

  @Column('uuid', { nullable: true })
  workflowId!: string | null;

  @Column('uuid')
  datasetId!: string;

  @Column('integer')
  revision!: number;

  @Column('text', { nullable: true })
  tag!: string | null;

  @Column('jsonb', { transformer: userJson })
  arms!: StoredArm[];

  /** The index of an arm. */
  @Column('smallint', { nullable: true })
  baseline!: number | null;

  @Column('json', { transformer: userJson })
  scorers!: UsedScorer[];

  @Column('smallint')
  repetitions!: number;

  @Column('integer')
  cases!: number;

  @Column('smallint')
  concurrency!: number;

  @Column('bigint', { nullable: true })
  budget!: string | null;

  @Column('text', { nullable: true })
  fundingSource!: FundingSource | null;

  @Column('uuid', { nullable: true })
  byokKeyId!: string | null;

  @Column('json', { nullable: true, transformer: userJson })
  gate!: ExperimentGate | null;

  @Column('json', { nullable: true, transformer: userJson })
  outcome!: GateOutcome | null;

  @Column('json', { nullable: true, transformer: userJson })
  results!: ArmResult[] | null;

  /** How calls of its runs are answered; live when null. */
  @Column('jsonb', { nullable: true })
  calls!: Omit<CallPolicy, 'repetition'> | null;

  /** The time in which batch services answer; null for live answers. */
  @Column('bigint', { nullable: true })
  completeWithinMs!: string | null;

  /** The experiment whose answers are scored again. */
  @Column('uuid', { nullable: true })
  answersOf!: string | null;

  @Column('text', { array: true })
  tags!: string[];

  /** The last case whose cells exist. */
  @Column('text', { nullable: true })
  plannedKey!: string | null;

  @Column('boolean')
  isPlanned!: boolean;

  /** The number of its last event. */
  @Column('integer')
  lastSequence!: number;

  /** The number of the newest pass, which fences its writes. */
  @Column('integer')
  pass!: number;

  @Column('timestamptz', { nullable: true })
  passUntil!: Date | null;

  @Column('timestamptz')
  advancedAt!: Date;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  completedAt!: Date | null;
}
