import type { EvaluationState, UsedScorer } from '@lensforge/contracts';
import type { Authority } from '@lensforge/core';
import { userJson } from '@lensforge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Judgement } from '../scorers/judge-questions.js';

/** A rule by which runs get scores when they have ended. */
@Entity('evaluation_rules')
export class EvaluationRuleRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  name!: string;

  @Column('uuid', { nullable: true })
  lensId!: string | null;

  @Column('uuid', { nullable: true })
  workflowId!: string | null;

  @Column('text', { nullable: true })
  label!: string | null;

  @Column('text', { nullable: true })
  tag!: string | null;

  /** From 0 to 1. */
  @Column('double precision')
  share!: number;

  @Column('json', { transformer: userJson })
  scorers!: UsedScorer[];

  @Column('bigint')
  creditsPerDay!: string;

  /** The credits that its judges have cost on a day in UTC. */
  @Column('bigint')
  spent!: string;

  @Column('date')
  spentOn!: string;

  @Column('boolean')
  enabled!: boolean;

  /** The rights of its judges. */
  @Column('jsonb')
  authority!: Authority;

  @Column('uuid', { nullable: true })
  creatorId!: string | null;

  @Column('timestamptz', { nullable: true })
  suspendedAt!: Date | null;

  @Column('text', { nullable: true })
  suspendedReason!: string | null;

  /** The runs accepted before were looked at. */
  @Column('timestamptz')
  seenUntil!: Date;

  /** The next pass. */
  @Column('timestamptz')
  dueAt!: Date;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}

/** A question that a judge or a program was asked about a run. */
export interface AskedQuestion extends Partial<Judgement> {
  scorer: number;
  part: number;
  /** The run of the judge, or the call of a program. */
  askedIn: string | null;
  /** The fault of the first answer. */
  fault: string | null;
  credits: number;
  isDone: boolean;
}

/** The evaluation of a run by a rule. */
@Entity('run_evaluations')
export class RunEvaluationRow {
  @PrimaryColumn('uuid')
  runId!: string;

  @PrimaryColumn('uuid')
  ruleId!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  state!: EvaluationState;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('json', { nullable: true, transformer: userJson })
  asked!: AskedQuestion[] | null;

  @Column('bigint')
  credits!: string;

  /** When it is looked at next; null after its end. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;
}
