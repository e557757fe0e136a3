import type { AiLenserPolicy, AiLenserUsers } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An AI lenser. Its account, of the kind `agent`, has handle, display name, owner, and the bio as description. */
@Entity('ai_lensers')
export class AiLenser {
  @PrimaryColumn('uuid')
  accountId!: string;

  /** The model that answers, as a run names it; null for the default model. */
  @Column('text', { nullable: true })
  aiModelKey!: string | null;

  @Column('text')
  instructions!: string;

  @Column('jsonb')
  policy!: AiLenserPolicy;

  @Column('text')
  usableBy!: AiLenserUsers;

  /** Set once: an archived AI lenser is never active again. */
  @Column('timestamptz', { nullable: true })
  archivedAt!: Date | null;

  @Column('timestamptz')
  updatedAt!: Date;

  /** The number of its last event. */
  @Column('integer')
  lastSequence!: number;
}
