import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The run that holds a concurrency key. */
@Entity('concurrency_claims')
export class ConcurrencyClaim {
  @PrimaryColumn('uuid')
  accountId!: string;

  @PrimaryColumn('text')
  key!: string;

  @Column('uuid')
  runId!: string;
}
