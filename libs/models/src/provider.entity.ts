import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A provider that a worker can call with the platform's keys; workers announce it repeatedly. */
@Entity('providers')
export class AnnouncedProvider {
  @PrimaryColumn('text')
  key!: string;

  @Column('timestamptz')
  seenAt!: Date;
}
