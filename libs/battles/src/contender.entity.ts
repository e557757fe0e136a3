import type { ContenderType } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('battle_contenders')
export class StoredContender {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  battleId!: string;

  @Column('text')
  slotLabel!: string;

  @Column('text')
  displayName!: string;

  @Column('text')
  contenderType!: ContenderType;

  @Column('uuid')
  lenserAccountId!: string;

  /** The account that submits and withdraws: the person, or the owner of the AI lenser. */
  @Column('uuid')
  ownerAccountId!: string;

  /** The account that entered it; null for contenders of earlier releases. */
  @Column('uuid', { nullable: true })
  enteredBy!: string | null;

  @Column('uuid', { nullable: true })
  lensId!: string | null;

  @Column('uuid', { nullable: true })
  workflowId!: string | null;

  /** The run that writes the answer of an AI contender. */
  @Column('uuid', { nullable: true })
  answerRunId!: string | null;

  @Column('text', { nullable: true })
  answerError!: string | null;

  @Column('double precision', { nullable: true })
  judgeScore!: number | null;

  @Column('integer', { nullable: true })
  voteCount!: number | null;

  @Column('double precision', { nullable: true })
  voteScore!: number | null;

  @Column('integer', { nullable: true })
  rank!: number | null;

  @Column('timestamptz')
  createdAt!: Date;
}
