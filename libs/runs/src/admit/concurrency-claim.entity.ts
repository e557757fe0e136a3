import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whose turn it is among the runs of a concurrency key. */
@Entity('run_turns')
export class ConcurrencyClaim {
  @PrimaryColumn('uuid')
  accountId!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('uuid')
  runId!: string;
}
