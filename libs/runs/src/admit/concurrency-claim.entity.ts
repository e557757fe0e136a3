import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The run that holds a concurrency key. */
@Entity('run_turns')
export class ConcurrencyClaim {
  @PrimaryColumn('uuid')
  accountId!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('uuid')
  runId!: string;
}
