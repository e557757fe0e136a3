import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('datasets')
export class StoredDataset {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('integer')
  revision!: number;

  @Column('integer')
  cases!: number;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}
