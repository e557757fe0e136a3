import type { ScoreJudge, ScoreSource } from '@lensforge/contracts';
import type { Actor } from '@lensforge/core';
import { userJson } from '@lensforge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('run_scores')
export class RunScoreRow {
  @PrimaryColumn('uuid')
  runId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  /** The lens or workflow of the run. */
  @Column('uuid')
  targetId!: string;

  @Column('uuid', { nullable: true })
  versionId!: string | null;

  @Column('text', { nullable: true })
  label!: string | null;

  @Column('text')
  name!: string;

  @Column('text')
  source!: ScoreSource;

  @Column('uuid', { nullable: true })
  ruleId!: string | null;

  /** Statistics leave such runs out. */
  @Column('boolean')
  ofExperiment!: boolean;

  @Column('double precision', { nullable: true })
  score!: number | null;

  @Column('boolean', { nullable: true })
  pass!: boolean | null;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('json', { nullable: true, transformer: userJson })
  judge!: ScoreJudge | null;

  @Column('timestamptz')
  createdAt!: Date;
}

/** A key with which an end user gives a run one score. */
@Entity('feedback_keys')
export class FeedbackKeyRow {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('uuid')
  runId!: string;

  /** The caller who made it; with their rights it stops. */
  @Column('jsonb')
  madeBy!: Actor;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('timestamptz', { nullable: true })
  usedAt!: Date | null;
}
