import type { LabelArm, LabelBounds, LabelReturned } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A label whose runs are watched since it moved, until it moves again. */
@Entity('label_watches')
export class LabelWatch {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  kind!: 'lens' | 'workflow';

  /** The lens or workflow. */
  @Column('uuid')
  ownerId!: string;

  /** The account whose runs count. */
  @Column('uuid')
  accountId!: string;

  @Column('text')
  label!: string;

  /** The version of the label. */
  @Column('uuid')
  versionId!: string;

  /** The version to which it returns; null while it has arms. */
  @Column('uuid', { nullable: true })
  beforeId!: string | null;

  @Column('json', { nullable: true })
  arms!: LabelArm[] | null;

  @Column('json')
  bounds!: LabelBounds;

  /** The counts and evidence so far. */
  @Column('json', { nullable: true })
  state!: object | null;

  @Column('timestamptz')
  since!: Date;

  /** Runs that ended until then were counted. */
  @Column('timestamptz')
  lookedAt!: Date;

  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;

  /** The version that it left by itself. */
  @Column('json', { nullable: true })
  returned!: LabelReturned | null;

  /** Another process sends its notice until then. */
  @Column('timestamptz', { nullable: true })
  claimedUntil!: Date | null;
}
