import type {
  BattleCheck,
  BattleStatus,
  BattleType,
  FundingSource,
  JudgingMode,
  RubricCriterion,
} from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('battles')
export class StoredBattle {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  creatorAccountId!: string;

  @Column('text')
  title!: string;

  @Column('text')
  taskPrompt!: string;

  @Column('text')
  battleType!: BattleType;

  @Column('text')
  judgingMode!: JudgingMode;

  @Column('integer')
  maxContenders!: number;

  @Column('text', { nullable: true })
  aiJudgeModelKey!: string | null;

  @Column('jsonb', { nullable: true })
  rubric!: RubricCriterion[] | null;

  @Column('jsonb', { nullable: true })
  checks!: BattleCheck[] | null;

  @Column('bigint', { nullable: true })
  budgetCredits!: string | null;

  @Column('text', { nullable: true })
  fundingSource!: FundingSource | null;

  @Column('uuid', { nullable: true })
  byokKeyId!: string | null;

  @Column('text')
  status!: BattleStatus;

  /** The key of the ids that voters see before the battle is closed. */
  @Column('bytea')
  blindKey!: Buffer;

  @Column('uuid', { nullable: true })
  judgingRunId!: string | null;

  /** The number of judgements that the judging consists of. */
  @Column('integer')
  judgingTotal!: number;

  @Column('uuid', { nullable: true })
  winnerContenderId!: string | null;

  /** The votes counted so far; they are counted after their commit. */
  @Column('integer')
  voteCount!: number;

  @Column('timestamptz', { nullable: true })
  votesCountedAt!: Date | null;

  @Column('integer')
  lastSequence!: number;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  closedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  publishedAt!: Date | null;
}
