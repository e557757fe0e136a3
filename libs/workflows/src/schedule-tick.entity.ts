import { Column, Entity, PrimaryColumn } from 'typeorm';

export const tickOutcomes = ['waiting', 'started', 'skipped', 'missed', 'failed'] as const;
export type TickOutcome = (typeof tickOutcomes)[number];

/** What became of one moment of a schedule: there is one row, so there is one run. */
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

  /** When a tick is tried again that the limit of its account has held back. */
  @Column('timestamptz', { nullable: true })
  retryAt!: Date | null;

  @Column('timestamptz')
  decidedAt!: Date;
}
