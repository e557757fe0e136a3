import type { Authority } from '@lensforge/core';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const overlapPolicies = ['skip', 'queue', 'allow'] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

export const missedPolicies = ['skip', 'run_once'] as const;
export type MissedPolicy = (typeof missedPolicies)[number];

@Entity('schedules')
export class Schedule {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  workflowId!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  title!: string;

  @Column('text')
  cron!: string;

  @Column('text')
  timeZone!: string;

  @Column('jsonb')
  inputs!: Record<string, unknown>;

  /** The policy for a tick while a run of an earlier tick is unfinished. */
  @Column('text')
  overlap!: OverlapPolicy;

  /** The policy for ticks that were missed while no scheduler was running. */
  @Column('text')
  missed!: MissedPolicy;

  @Column('boolean')
  enabled!: boolean;

  @Column('text', { nullable: true })
  pausedReason!: string | null;

  /** The next tick; null while paused and when the pattern has no further tick. */
  @Column('timestamptz', { nullable: true })
  nextAt!: Date | null;

  /** The rights of the runs that it starts. */
  @Column('jsonb')
  authority!: Authority;

  /** The account of the person who set it up or took it over. */
  @Column('uuid', { nullable: true })
  creatorId!: string | null;

  /** Its creator has lost the right to it. */
  @Column('timestamptz', { nullable: true })
  suspendedAt!: Date | null;

  @Column('text', { nullable: true })
  suspendedReason!: string | null;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
