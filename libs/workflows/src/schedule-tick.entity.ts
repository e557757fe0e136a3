import { Column, Entity, PrimaryColumn } from 'typeorm';

export const tickOutcomes = ['waiting', 'started', 'skipped', 'missed', 'failed'] as const;
export type TickOutcome = (typeof tickOutcomes)[number];

/** The outcome of a schedule tick; its primary key allows one run per tick. */
@Entity('schedule_ticks')
export class ScheduleTick {
  @PrimaryColumn('uuid')
  scheduleId!: string;

  @PrimaryColumn('timestamptz')
  tickAt!: Date;

  @Column('text')
  outcome!: TickOutcome;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('uuid', { nullable: true })
  runId!: string | null;

  /** The time of the next attempt for a tick that waits for the limit of its account. */
  @Column('timestamptz', { nullable: true })
  retryAt!: Date | null;

  @Column('timestamptz')
  decidedAt!: Date;
}
