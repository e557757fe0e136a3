import type { ReviewScale, ReviewState } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('review_queues')
export class ReviewQueueRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  instructions!: string | null;

  @Column('text')
  scale!: ReviewScale;

  /** The people who review; the owners and admins of a community when null. */
  @Column('uuid', { array: true, nullable: true })
  reviewers!: string[] | null;

  @Column('smallint')
  perItem!: number;

  @Column('text', { nullable: true })
  compareWith!: string | null;

  @Column('timestamptz')
  createdAt!: Date;
}

@Entity('review_items')
export class ReviewItemRow {
  @PrimaryColumn('uuid')
  runId!: string;

  @PrimaryColumn('uuid')
  queueId!: string;

  /** The name of the item for reviewers, who do not learn the run. */
  @Column('uuid')
  id!: string;

  @Column('text')
  state!: ReviewState;

  @Column('double precision', { nullable: true })
  score!: number | null;
}

@Entity('reviews')
export class ReviewRow {
  @PrimaryColumn('uuid')
  runId!: string;

  @PrimaryColumn('uuid')
  queueId!: string;

  @PrimaryColumn('uuid')
  reviewerId!: string;

  @Column('double precision')
  score!: number;

  @Column('text', { nullable: true })
  comment!: string | null;

  /** The answer that would be right. */
  @Column('text', { nullable: true })
  corrected!: string | null;

  @Column('timestamptz')
  createdAt!: Date;
}
