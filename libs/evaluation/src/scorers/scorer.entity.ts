import type { ScorerRule } from '@lensforge/contracts';
import { userJson } from '@lensforge/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('scorers')
export class ScorerRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  accountId!: string;

  @Column('text')
  name!: string;

  /** The number of the newest version. */
  @Column('integer')
  version!: number;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz')
  updatedAt!: Date;
}

@Entity('scorer_versions')
export class ScorerVersion {
  @PrimaryColumn('uuid')
  scorerId!: string;

  @PrimaryColumn('integer')
  version!: number;

  @Column('json', { transformer: userJson })
  rule!: ScorerRule;

  @Column('timestamptz')
  createdAt!: Date;
}
