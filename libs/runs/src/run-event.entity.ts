import type { RunEventType } from '@lensforge/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('run_events')
export class StoredRunEvent {
  @PrimaryColumn('uuid')
  runId!: string;

  @PrimaryColumn('integer')
  sequence!: number;

  @Column('text')
  type!: RunEventType;

  @Column('jsonb')
  payload!: Record<string, unknown>;

  @Column('timestamptz')
  occurredAt!: Date;
}
