import type { CallPolicy, ScorerRule } from '@lensforge/contracts';
import { userJson } from '@lensforge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('scorers')
export class ScorerRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  name!: string;

  /** The number of the newest version. */
  @Column('integer')
  version!: number;

  /** The secret that signs the calls of a scorer of the kind http; only a run-worker can open it. */
  @Column('integer', { nullable: true, select: false })
  keyPair!: number | null;

  @Column('bytea', { nullable: true, select: false })
  dataKey!: Buffer | null;

  @Column('bytea', { nullable: true, select: false })
  secret!: Buffer | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}

@Entity('scorer_versions')
export class ScorerVersion {
  @PrimaryColumn('uuid')
  scorerId!: string;

  @PrimaryColumn('integer')
  version!: number;

  @Column('json', { transformer: userJson })
  rule!: ScorerRule;

  @Column('timestamptz')
  createdAt!: Date;
}

/** A call to a scorer of the kind http. */
@Entity('scorer_calls')
export class ScorerCall {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('uuid')
  scorerId!: string;

  @Column('text')
  url!: string;

  /** The body. */
  @Column('json', { transformer: userJson })
  request!: Record<string, unknown>;

  /** How the call is answered; live when null. */
  @Column('jsonb', { nullable: true })
  calls!: CallPolicy | null;

  @Column('text', { nullable: true })
  outcome!: string | null;

  @Column('text', { nullable: true })
  reasoning!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  answeredAt!: Date | null;
}
