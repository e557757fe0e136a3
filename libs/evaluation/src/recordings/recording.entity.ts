import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('recordings')
export class StoredRecording {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  name!: string;

  /** True for the earlier answers of the account, which no list shows. */
  @Column('boolean')
  isCache!: boolean;

  @Column('timestamptz')
  createdAt!: Date;
}
