import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A provider that some worker can ask in the name of the platform; workers say so again and again. */
@Entity('providers')
export class AnnouncedProvider {
  @PrimaryColumn('text')
  key!: string;

  @Column('timestamptz')
  seenAt!: Date;
}
